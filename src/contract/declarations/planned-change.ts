import type { Json } from '../values/json.ts'

/** A change in a plan. Ids of new resources are replaced by numbers, so that the changes of two runs of a program can be compared. */
export interface PlannedChange {
  /** The event and its resource: `product.created #product 1`, or `product.updated prod_…`. */
  key: string
  label: string | null
  from: Json
  to: Json
  /** Facts for the reader only; comparisons of two runs ignore them. Plans made by older versions lack them. */
  about?: {
    /** The kind of change; null if the event reports something other than a creation, update or deletion. */
    kind: 'created' | 'updated' | 'deleted' | null
    object: string
    partOf: Record<string, string>
    currency: string | null
  }
}

/** A difference between a planned change and the same change of a new run. */
export type Difference = { change: string; name?: string; field?: string; planned: Json; now: Json }
