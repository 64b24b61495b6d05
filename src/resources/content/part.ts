/** One page of the rows in a list. */
export interface Part {
  /** The number of rows to skip. */
  offset: number
  limit: number
}
