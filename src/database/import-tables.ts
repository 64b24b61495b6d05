/** What a row of a source has become. */
interface ImportedRow {
  account_id: string
  /** Where the file came from: shopify, stripe or csv. */
  source: string
  kind: string
  /** How the source names it. */
  source_id: string
  /** How it is named here. */
  id: string
}

/** What imports remember. */
export interface ImportTables {
  imported_rows: ImportedRow
}
