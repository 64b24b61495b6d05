/** Maps an imported row of a source to the id of the row that it created here. */
interface ImportedRow {
  account_id: string
  /** `shopify`, `stripe` or `csv`. */
  source: string
  kind: string
  /** The id in the source. */
  source_id: string
  id: string
}

export interface ImportTables {
  imported_rows: ImportedRow
}
