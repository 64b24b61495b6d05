/** A file of a site build. Its content is in the file store that the build names, under the id of the file. */
export interface SiteFileRow {
  account_id: string
  build: string
  path: string
  id: string
  content_type: string
  size: number
  /** The SHA-256 hash of the content in hexadecimal. */
  sha256: string
}

/** The tables for sites that no noun declares. */
export interface SiteTables {
  site_files: SiteFileRow
}
