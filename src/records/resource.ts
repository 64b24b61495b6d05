import type { Noun, Row } from '../contract/declarations/noun.ts'
import type { Operation } from '../contract/declarations/operation.ts'
import type { Context } from './context.ts'
import type { JobType } from './job.ts'

/** A resource, complete: what it is, how its rows are shown, what can be done with it, and what it does later. */
export interface Resource {
  noun: Noun
  /** Derived fields of each row, in the rows' order. One query for all of them, never one a row. */
  derive?(rows: { id: string }[], context: Context): Derived[] | Promise<Derived[]>
  /** The rows of a collection field, by the owner's id. */
  collections?: Record<string, Collection>
  operations: Operation<Context>[]
  /** What only signed-in people do with it, in the dashboard; no catalogue and no document names these. */
  dashboard: Operation<Context>[]
  /** Older addresses that still answer and that no document names. */
  aliases: Operation<Context>[]
  jobs: JobType<unknown>[]
}

export type Derived = Record<string, unknown>
export type Collection = (ownerIds: string[], context: Context) => Promise<Map<string, { id: string }[]>>

interface Declaration<N extends Noun> {
  derive?(rows: Row<N>[], context: Context): Derived[] | Promise<Derived[]>
  collections?: Record<string, Collection>
  operations?: Operation<Context>[]
  dashboard?: Operation<Context>[]
  aliases?: Operation<Context>[]
  jobs?: Omit<JobType<never>, 'payload'>[]
}

/** Puts a resource together. Its `derive` is given rows of its noun alone, and its jobs what they were enqueued with. */
export function resource<N extends Noun>(
  noun: N,
  { operations = [], dashboard = [], aliases = [], jobs = [], ...more }: Declaration<N>,
): Resource {
  return { noun, operations, dashboard, aliases, jobs, ...more } as Resource
}
