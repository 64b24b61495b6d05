import { type ColumnNode, type CompiledQuery, InsertQueryNode, UpdateQueryNode, ValuesNode } from 'kysely'

/** The approximate size of a row without its texts: numbers, keys and index entries. */
export const ROW_BYTES = 300

export interface Written {
  /** The account of the first inserted row; undefined for an update. */
  account: string | undefined
  /** The approximate number of written bytes. The values that an update replaces are not subtracted. */
  bytes: number
}

/** Returns what a query writes; undefined if it only reads or deletes. */
export function writtenBy({ query, parameters }: CompiledQuery): Written | undefined {
  if (InsertQueryNode.is(query)) {
    const rows = query.values && ValuesNode.is(query.values) ? query.values.values.length : 1
    return { account: accountOf(query.columns, parameters), bytes: rows * ROW_BYTES + textBytes(parameters) }
  }
  return UpdateQueryNode.is(query) ? { account: undefined, bytes: textBytes(parameters) } : undefined
}

/** Returns the account of the first inserted row, whose values are the first parameters, in the order of the columns. */
function accountOf(columns: readonly ColumnNode[] = [], parameters: readonly unknown[]): string | undefined {
  const value = parameters[columns.findIndex(({ column }) => column.name === 'account_id')]
  return typeof value === 'string' ? value : undefined
}

function textBytes(parameters: readonly unknown[]): number {
  let bytes = 0
  for (const value of parameters) if (typeof value === 'string') bytes += Buffer.byteLength(value)
  return bytes
}
