import type { Noun, Row } from '../contract/declarations/noun.ts'
import type { Operation, OperationTypes } from '../contract/declarations/operation.ts'
import type { Context, Fee } from './context.ts'
import type { JobType } from './job.ts'

export interface Resource {
  noun: Noun
  /** Computes the derived fields of rows, with one query for all rows, and returns them in the order of the rows. */
  derive?(rows: { id: string }[], context: Context): Derived[] | Promise<Derived[]>
  /** Functions that read the rows of each collection field, by the id of the owner. */
  collections?: Record<string, Collection>
  operations: Operation<Context>[]
  /** Operations that only the dashboard calls, for signed-in people; they are neither in the catalogue nor documented. */
  dashboard: Operation<Context>[]
  aliases: Operation<Context>[]
  jobs: JobType<unknown>[]
  /** The fee for a row of the noun, if the service takes one. */
  fee?: Fee
}

export type Derived = Record<string, unknown>
type Collection = (ownerIds: string[], context: Context) => Promise<Map<string, { id: string }[]>>

export interface ResourceOf<N extends Noun, T> extends Resource {
  noun: N
  /** Never set; it only carries the types of each operation. */
  readonly known?: T
}

type TypesOf<Op> = Op extends { readonly known?: infer T } ? (T extends OperationTypes ? T : never) : never

/** The part of an operation without type parameters, so that TypeScript infers the types from the declaration alone. */
type AnyOperation = Pick<Operation<Context>, 'id' | 'apply'>

interface Declaration<N extends Noun, Ops extends readonly AnyOperation[], Own extends readonly AnyOperation[]> {
  derive?(rows: Row<N>[], context: Context): Derived[] | Promise<Derived[]>
  collections?: Record<string, Collection>
  operations?: Ops
  dashboard?: Own
  aliases?: Operation<Context>[]
  jobs?: Omit<JobType<never>, 'payload'>[]
  fee?: Fee
}

/** Assembles a resource. `derive` receives only rows of this noun, and each job only its own payloads. */
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
