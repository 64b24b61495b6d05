import type { Noun } from '../contract/declarations/noun.ts'

/** What happened to the resource itself. */
export const CHANGE_KINDS = ['created', 'updated', 'deleted'] as const
export type ChangeKind = (typeof CHANGE_KINDS)[number]

/** What one event said of its resource: a change as plans and answers of programs tell it. */
export interface Change {
  type: string
  /** Null for an event that tells of something else than the resource's own creation, change or deletion. */
  kind: ChangeKind | null
  object: string
  id: string
  /** What people know the resource by, where it has such a field. */
  label: string | null
  /** The ids of the resources that it is part of, by field: the product of a price. */
  partOf: Record<string, string>
  /** The resource as it is now; null when it was deleted. */
  shown: Record<string, unknown> | null
  /** Old values of changed fields; null except on updates. */
  previous: Record<string, unknown> | null
}

/** An event that was written, with the row that it is about. */
export interface WrittenEvent {
  id: string
  noun: Noun
  row: { id: string }
  change: Change
}
