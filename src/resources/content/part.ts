/** A page of a list, as an offset and a limit. */
export interface Part {
  /** The number of rows before the page. */
  offset: number
  limit: number
}
