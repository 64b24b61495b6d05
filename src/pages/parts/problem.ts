/** What keeps somebody from going on, in words that say what would be right. */
export interface Problem {
  /** The id of the field that it is about, or null when it is about the whole. */
  field: string | null
  message: string
}
