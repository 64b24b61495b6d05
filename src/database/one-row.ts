import type { CompiledQuery } from 'kysely'

/** Part of a statement: `row` is the cache key of the only row that it writes; undefined if that is not known. */
export interface OneRow {
  readonly row?: string | undefined
}

/** Returns a copy of a compiled statement with the given parameters and the cache key of the only row that it writes. */
export function onOneRow(
  compiled: CompiledQuery,
  parameters: readonly unknown[],
  row: string | undefined,
): CompiledQuery & OneRow {
  return { ...compiled, parameters, row }
}

export function rowKey(accountId: string, id: string): string {
  return `${accountId} ${id}`
}

/** Returns the cache key of a row; undefined if the row lacks `account_id` or `id`. */
export function keyOfRow({ account_id, id }: Record<string, unknown>): string | undefined {
  return typeof account_id === 'string' && typeof id === 'string' ? rowKey(account_id, id) : undefined
}
