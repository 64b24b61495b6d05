import type { Json } from '../values/json.ts'

/** A change in a plan. Ids of new resources are replaced by numbers, so that two runs of a program can be compared. */
export interface PlannedChange {
  /** The change and its resource: `product.created #product 1`, or `product.updated prod_…`. */
  key: string
  label: string | null
  from: Json
  to: Json
  /** Facts for the reader only, which are ignored when two runs are compared. Plans made by older versions lack them. */
  about?: {
    /** The kind of change; null if the event reports something other than a creation, update or deletion. */
    kind: 'created' | 'updated' | 'deleted' | null
    /** The noun of the resource. */
    object: string
    /** Ids of the parent resources, by field. */
    partOf: Record<string, string>
    /** The currency of the resource's amounts; null if there is none. */
    currency: string | null
  }
}

/** A difference between the planned changes and those of a new run, in a resource or in one of its fields. */
export type Difference = { change: string; name?: string; field?: string; planned: Json; now: Json }
