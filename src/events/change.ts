import type { Noun } from '../contract/declarations/noun.ts'

/** The kinds of changes. All other events have the kind null. */
export const CHANGE_KINDS = ['created', 'updated', 'deleted'] as const
export type ChangeKind = (typeof CHANGE_KINDS)[number]

/** A change of a resource that an event reports, as shown in plans and in the results of programs. */
export interface Change {
  type: string
  /** Null for an event that is not the creation, update or deletion of the resource. */
  kind: ChangeKind | null
  object: string
  id: string
  /** The resource's name for people, if it has a field for one. */
  label: string | null
  /** The ids of the parent resources by field name, such as the product of a price. */
  partOf: Record<string, string>
  /** The resource as it is shown after the event; null if it was deleted. */
  shown: Record<string, unknown> | null
  /** The old values of changed fields; null unless the kind is `updated`. */
  previous: Record<string, unknown> | null
}

export interface WrittenEvent {
  id: string
  noun: Noun
  row: { id: string }
  change: Change
}
