import type { Noun, Row } from '../contract/declarations/noun.ts'
import type { Operation, OperationTypes } from '../contract/declarations/operation.ts'
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

/** A resource whose noun and operations the compiler knows. */
export interface ResourceOf<N extends Noun, T> extends Resource {
  noun: N
  /** Types only: of each operation. */
  readonly known?: T
}

type TypesOf<Op> = Op extends { readonly known?: infer T } ? (T extends OperationTypes ? T : never) : never

/** All of an operation that says nothing of its types, so that those are inferred from its declaration alone. */
type Known = Pick<Operation<Context>, 'id' | 'apply'>

interface Declaration<N extends Noun, Ops extends readonly Known[], Own extends readonly Known[]> {
  derive?(rows: Row<N>[], context: Context): Derived[] | Promise<Derived[]>
  collections?: Record<string, Collection>
  operations?: Ops
  dashboard?: Own
  aliases?: Operation<Context>[]
  jobs?: Omit<JobType<never>, 'payload'>[]
}

/** Puts a resource together. Its `derive` is given rows of its noun alone, and its jobs what they were enqueued with. */
export function resource<
  N extends Noun,
  const Ops extends readonly Known[] = readonly [],
  const Own extends readonly Known[] = readonly [],
>(
  noun: N,
  { operations, dashboard, aliases = [], jobs = [], ...more }: Declaration<N, Ops, Own>,
): ResourceOf<N, TypesOf<Ops[number] | Own[number]>> {
  const all = { operations: operations ?? [], dashboard: dashboard ?? [] }
  return { noun, ...all, aliases, jobs, ...more } as unknown as ResourceOf<N, TypesOf<Ops[number] | Own[number]>>
}
