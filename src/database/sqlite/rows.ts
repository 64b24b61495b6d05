import type { StatementColumnMetadata } from 'node:sqlite'

export type RowReader = (values: unknown[]) => unknown

/**
 * Returns a function that converts the values of a result row to an object; undefined if the statement returns no rows. Columns that are
 * declared `boolean` become true or false. The function is generated, so that all rows of a statement share one hidden class: reading a
 * row of 20 columns and writing it as JSON takes half as long as with the row objects of node:sqlite.
 */
export function rowReader(columns: StatementColumnMetadata[]): RowReader | undefined {
  if (columns.length === 0) return undefined
  const fields = columns.map(({ name, type }, index) => `${JSON.stringify(name)}: ${value(index, type)}`)
  return new Function('values', `return { ${fields.join(', ')} }`) as RowReader
}

function value(index: number, type: string | null): string {
  const plain = `values[${index}]`
  return type?.toLowerCase() === 'boolean' ? `${plain} === null ? null : ${plain} !== 0` : plain
}
