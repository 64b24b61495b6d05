/** A row's values in the orders of its lists. A position shifts, so it is given by the row before it, or null for the first row. */
export type SortKeys = Record<string, string | number | { behind: string | null }>
