/** A row's values in the orders of its lists; a position shifts, so it is told by the row before, or null for the first. */
export type SortKeys = Record<string, string | number | { behind: string | null }>

/** What stays of a deleted row: enough for a list to go on after it, nothing of what it held. */
export interface Tombstone {
  account_id: string
  id: string
  /** JSON of `SortKeys`. */
  sort_keys: string
  deleted_at: string
}

declare module './tables.ts' {
  interface Tables {
    tombstones: Tombstone
  }
}
