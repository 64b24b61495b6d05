import type { Noun } from '../contract/declarations/noun.ts'

/** The kinds of changes to the resource itself. */
export const CHANGE_KINDS = ['created', 'updated', 'deleted'] as const
export type ChangeKind = (typeof CHANGE_KINDS)[number]

/** A change that one event reports, as shown in plans and in the results of programs. */
export interface Change {
  type: string
  /** Null for an event other than the creation, update or deletion of the resource. */
  kind: ChangeKind | null
  object: string
  id: string
  /** A name for people, if the resource has a field for one. */
  label: string | null
  /** The ids of the parent resources by field, such as the product of a price. */
  partOf: Record<string, string>
  /** The resource after the event; null if it was deleted. */
  shown: Record<string, unknown> | null
  /** Old values of changed fields; null except for updates. */
  previous: Record<string, unknown> | null
}

/** A stored event with the row that it is about. */
export interface WrittenEvent {
  id: string
  noun: Noun
  row: { id: string }
  change: Change
}
