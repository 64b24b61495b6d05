import type { DraftOf, Kind } from './drafts.ts'
import type { Column, Reader } from './reading/reader.ts'
import type { TableRow } from './reading/table.ts'

export const SOURCES = ['shopify', 'stripe', 'csv'] as const
export type Source = (typeof SOURCES)[number]

export interface Format<K extends Kind = Kind> {
  kind: K
  /** The name of the format in texts for people, such as `payments`. */
  name: string
  /** Columns that identify the format. A file must have all of them. */
  needs: readonly Column[]
  /** All columns that are imported, including `needs`. */
  reads: readonly Column[]
  /** Known columns that this service cannot store. The report lists them separately. */
  leavesOut?: readonly string[]
  /** Returns the key of the row's object. Consecutive rows with the same key belong to one object. */
  key(row: TableRow, read: Reader): string
  /** Returns the object's draft, a LeftOut if it is skipped without an error, or null if `read` has collected problems. */
  draft(rows: readonly [TableRow, ...TableRow[]], read: Reader): DraftOf[K] | LeftOut | null
}

/** An object that is skipped without an error, such as an order that was not paid. */
export interface LeftOut {
  leftOut: string
}

export function isLeftOut(draft: object): draft is LeftOut {
  return 'leftOut' in draft
}

/** Checks at compile time that a format matches its kind, and widens its type. Without a `key`, each row is a separate object. */
export function format<K extends Kind>(one: Omit<Format<K>, 'key'> & Partial<Pick<Format, 'key'>>): Format {
  return { key: ({ line }) => String(line), ...(one as Omit<Format, 'key'>) }
}
