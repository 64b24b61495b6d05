import type { Noun, Row } from '../contract/declarations/noun.ts'
import type { Operation, OperationTypes } from '../contract/declarations/operation.ts'
import type { Context } from './context.ts'
import type { JobType } from './job.ts'

/** A complete resource: its noun, its derived fields and collections, its operations and its jobs. */
export interface Resource {
  noun: Noun
  /** Computes the derived fields of rows, in the rows' order, with one query for all of them. */
  derive?(rows: { id: string }[], context: Context): Derived[] | Promise<Derived[]>
  /** Reads the rows of a collection field, by the owner's id. */
  collections?: Record<string, Collection>
  operations: Operation<Context>[]
  /** Operations that only signed-in people use, in the dashboard; they are in no catalogue and no document. */
  dashboard: Operation<Context>[]
  /** Older paths that still work but are not documented. */
  aliases: Operation<Context>[]
  jobs: JobType<unknown>[]
}

export type Derived = Record<string, unknown>
type Collection = (ownerIds: string[], context: Context) => Promise<Map<string, { id: string }[]>>

/** A resource that carries the types of its noun and operations. */
export interface ResourceOf<N extends Noun, T> extends Resource {
  noun: N
  /** For type inference only; the types of each operation. */
  readonly known?: T
}

type TypesOf<Op> = Op extends { readonly known?: infer T } ? (T extends OperationTypes ? T : never) : never

/** The part of an operation that has no type parameters, so that types are inferred from the declaration alone. */
type AnyOperation = Pick<Operation<Context>, 'id' | 'apply'>

interface Declaration<N extends Noun, Ops extends readonly AnyOperation[], Own extends readonly AnyOperation[]> {
  derive?(rows: Row<N>[], context: Context): Derived[] | Promise<Derived[]>
  collections?: Record<string, Collection>
  operations?: Ops
  dashboard?: Own
  aliases?: Operation<Context>[]
  jobs?: Omit<JobType<never>, 'payload'>[]
}

/** Assembles a resource. `derive` receives only rows of its noun, and each job its own payloads. */
export function resource<
  N extends Noun,
  const Ops extends readonly AnyOperation[] = readonly [],
  const Own extends readonly AnyOperation[] = readonly [],
>(
  noun: N,
  { operations, dashboard, aliases = [], jobs = [], ...more }: Declaration<N, Ops, Own>,
): ResourceOf<N, TypesOf<Ops[number] | Own[number]>> {
  const all = { operations: operations ?? [], dashboard: dashboard ?? [] }
  return { noun, ...all, aliases, jobs, ...more } as unknown as ResourceOf<N, TypesOf<Ops[number] | Own[number]>>
}
