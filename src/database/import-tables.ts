/** Maps a row of an import source to the id of the resource that was created from it. */
interface ImportedRow {
  account_id: string
  /** The kind of source: `shopify`, `stripe` or `csv`. */
  source: string
  kind: string
  /** The id of the row in the source. */
  source_id: string
  id: string
}

export interface ImportTables {
  imported_rows: ImportedRow
}
