import type { DraftOf, Kind } from './drafts.ts'
import type { Column, Reader } from './reading/reader.ts'
import type { TableRow } from './reading/table.ts'

export const SOURCES = ['shopify', 'stripe', 'csv'] as const
export type Source = (typeof SOURCES)[number]

export interface Format<K extends Kind = Kind> {
  kind: K
  /** The name of the format in texts for people, such as `payments`. */
  name: string
  /** Columns that identify the format; a file must have all of them. */
  needs: readonly Column[]
  /** All columns that the format reads, including `needs`. */
  reads: readonly Column[]
  /** Known columns that this service cannot store; the report lists them separately. */
  leavesOut?: readonly string[]
  /** Returns the key of an object, by which its consecutive rows are recognized. */
  key(row: TableRow, read: Reader): string
  /** Returns the draft of an object, or a LeftOut if it is skipped without an error; null if the reader has problems that refuse it. */
  draft(rows: readonly [TableRow, ...TableRow[]], read: Reader): DraftOf[K] | LeftOut | null
}

/** An object that is skipped without an error, with the reason, such as an order that was not paid. */
export interface LeftOut {
  leftOut: string
}

export function isLeftOut(draft: object): draft is LeftOut {
  return 'leftOut' in draft
}

/** Checks the type of a format for one kind, then widens it, so that a list can hold formats of several kinds. */
export function format<K extends Kind>(one: Format<K>): Format {
  return one as Format
}
