import type { Json } from '../values/json.ts'

/** One change of a plan. Ids of what the program makes have numbers instead, so that two runs can be compared by it. */
export interface PlannedChange {
  /** `product.created #product 1`, or `product.updated prod_…`. */
  key: string
  label: string | null
  from: Json
  to: Json
  /** What a reader must know besides; two runs are not compared by it. Plans of older versions lack it. */
  about?: {
    /** Null for an event that tells of something else than a creation, change or deletion. */
    kind: 'created' | 'updated' | 'deleted' | null
    /** The resource's noun. */
    object: string
    /** Ids of the resources that it is part of, by field. */
    partOf: Record<string, string>
    /** What its amounts are in. */
    currency: string | null
  }
}

/** Where two runs differ, for one resource or for one field of it. */
export type Difference = { change: string; name?: string; field?: string; planned: Json; now: Json }
