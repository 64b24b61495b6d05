import type { CompiledQuery } from 'kysely'

/** A statement with the cache key of the only row that it writes, if that is known. */
export interface OneRow {
  readonly row?: string | undefined
}

/** Returns a compiled statement with other parameters, marked as writing only the row with this cache key. */
export function onOneRow(
  compiled: CompiledQuery,
  parameters: readonly unknown[],
  row: string | undefined,
): CompiledQuery & OneRow {
  return { ...compiled, parameters, row }
}

/** Returns the cache key of a row. */
export function rowKey(accountId: string, id: string): string {
  return `${accountId} ${id}`
}

/** Returns the cache key of a row, or undefined if it lacks `account_id` or `id`. */
export function keyOfRow({ account_id, id }: Record<string, unknown>): string | undefined {
  return typeof account_id === 'string' && typeof id === 'string' ? rowKey(account_id, id) : undefined
}
