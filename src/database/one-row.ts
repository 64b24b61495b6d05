import type { CompiledQuery } from 'kysely'

/** A statement that writes only one row, with the row's cache key if that is known. */
export interface OneRow {
  readonly row?: string | undefined
}

/** Returns a compiled statement with other parameters. `row` is the cache key of the only row that it writes. */
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

/** Like `rowKey`, but undefined if the row lacks `account_id` or `id`. */
export function keyOfRow({ account_id, id }: Record<string, unknown>): string | undefined {
  return typeof account_id === 'string' && typeof id === 'string' ? rowKey(account_id, id) : undefined
}
