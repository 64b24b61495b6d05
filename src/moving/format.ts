import type { DraftOf, Kind } from './drafts.ts'
import type { Column, Reader } from './reading/reader.ts'
import type { TableRow } from './reading/table.ts'

export const SOURCES = ['shopify', 'stripe', 'csv'] as const
export type Source = (typeof SOURCES)[number]

export interface Format<K extends Kind = Kind> {
  kind: K
  /** What people call it: `payments`. */
  name: string
  /** Columns by which it is known; a file has all of them. */
  needs: readonly Column[]
  /** Columns that it reads, `needs` included. */
  reads: readonly Column[]
  /** Its own columns for which there is no place here: named in the report as such. */
  leavesOut?: readonly string[]
  /** What rows of one thing, which follow each other, have in common. */
  key(row: TableRow, read: Reader): string
  /** What becomes of a thing. Null where it is left out; `read` knows why where that is a fault. */
  draft(rows: readonly [TableRow, ...TableRow[]], read: Reader): DraftOf[K] | LeftOut | null
}

/** A thing that is left out without fault, for this reason: an order that was not paid. */
export interface LeftOut {
  leftOut: string
}

export function isLeftOut(draft: object): draft is LeftOut {
  return 'leftOut' in draft
}

/** Checks a format against its kind, for lists of formats of several kinds. */
export function format<K extends Kind>(one: Format<K>): Format {
  return one as Format
}
