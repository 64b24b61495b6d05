/** A deleted row's values in its lists' sort orders. Positions shift, so a position is stored as the id of the row before, or null. */
export type SortKeys = Record<string, string | number | { behind: string | null }>
