/** Which rows of a list a page shows. */
export interface Part {
  /** Rows to leave out at the beginning. */
  offset: number
  limit: number
}
