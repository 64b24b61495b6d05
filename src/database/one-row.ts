import type { CompiledQuery } from 'kysely'

/** A statement that writes one row, by what it is remembered, where that is known. */
export interface OneRow {
  readonly row?: string | undefined
}

/** A compiled statement with other values, which writes the row of a key and none besides. */
export function onOneRow(
  compiled: CompiledQuery,
  parameters: readonly unknown[],
  row: string | undefined,
): CompiledQuery & OneRow {
  return { ...compiled, parameters, row }
}

/** By what a row of an account is remembered. */
export function rowKey(accountId: string, id: string): string {
  return `${accountId} ${id}`
}

/** The key of a row that has one. */
export function keyOfRow({ account_id, id }: Record<string, unknown>): string | undefined {
  return typeof account_id === 'string' && typeof id === 'string' ? rowKey(account_id, id) : undefined
}
