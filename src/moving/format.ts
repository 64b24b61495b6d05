import type { DraftOf, Kind } from './drafts.ts'
import type { Column, Reader } from './reading/reader.ts'
import type { TableRow } from './reading/table.ts'

export const SOURCES = ['shopify', 'stripe', 'csv'] as const
export type Source = (typeof SOURCES)[number]

export interface Format<K extends Kind = Kind> {
  kind: K
  /** The name of the format for people: `payments`. */
  name: string
  /** Columns that identify the format; a file must have all of them. */
  needs: readonly Column[]
  /** All columns that the format reads, including `needs`. */
  reads: readonly Column[]
  /** Known columns that cannot be stored here; the report names them as such. */
  leavesOut?: readonly string[]
  /** Returns the key that consecutive rows of the same object share. */
  key(row: TableRow, read: Reader): string
  /** Returns the draft of an object, a LeftOut to skip it without an error, or null if it is refused for the reader's problems. */
  draft(rows: readonly [TableRow, ...TableRow[]], read: Reader): DraftOf[K] | LeftOut | null
}

/** An object that is skipped without an error, and the reason: for example, an order that was not paid. */
export interface LeftOut {
  leftOut: string
}

export function isLeftOut(draft: object): draft is LeftOut {
  return 'leftOut' in draft
}

/** Type-checks a format against its kind, then widens it so that a list can hold formats of several kinds. */
export function format<K extends Kind>(one: Format<K>): Format {
  return one as Format
}
