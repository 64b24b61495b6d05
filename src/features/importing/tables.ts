export interface ImportingTables {
  imported_rows: {
    account_id: string
    /** `shopify`, `stripe` or `csv`. */
    source: string
    kind: string
    source_id: string
    id: string
  }
}
