import { type ColumnNode, type CompiledQuery, InsertQueryNode, UpdateQueryNode, ValuesNode } from 'kysely'

/** What a row takes besides its texts: its numbers, its keys and its part of the indexes. */
export const ROW_BYTES = 300

/** What one statement writes. */
export interface Written {
  /** The account of an inserted row, where the statement names it. */
  account: string | undefined
  /** About the bytes that it adds. An update counts as if it replaced nothing. */
  bytes: number
}

/** What a query writes; undefined where it only reads or deletes. */
export function writtenBy({ query, parameters }: CompiledQuery): Written | undefined {
  if (InsertQueryNode.is(query)) {
    const rows = query.values && ValuesNode.is(query.values) ? query.values.values.length : 1
    return { account: accountOf(query.columns, parameters), bytes: rows * ROW_BYTES + textBytes(parameters) }
  }
  return UpdateQueryNode.is(query) ? { account: undefined, bytes: textBytes(parameters) } : undefined
}

/** The parameters of the first row are in the order of its columns. */
function accountOf(columns: readonly ColumnNode[] = [], parameters: readonly unknown[]): string | undefined {
  const value = parameters[columns.findIndex(({ column }) => column.name === 'account_id')]
  return typeof value === 'string' ? value : undefined
}

function textBytes(parameters: readonly unknown[]): number {
  let bytes = 0
  for (const value of parameters) if (typeof value === 'string') bytes += Buffer.byteLength(value)
  return bytes
}
