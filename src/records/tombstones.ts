/** What stays of a deleted row: enough for a list to go on after it, nothing of what it held. */
export interface Tombstone {
  account_id: string
  id: string
  /** JSON: the row's values in the orders of its lists. */
  sort_keys: string
  deleted_at: string
}

declare module './tables.ts' {
  interface Tables {
    tombstones: Tombstone
  }
}
