/**
 * A deleted row's values in the sort orders of its lists. Positions shift, so a position is stored as the id of the row before
 * it; null for the first.
 */
export type SortKeys = Record<string, string | number | { behind: string | null }>
