import { type CallerKind, USERS } from '../contract/declarations/caller.ts'
import type { Noun } from '../contract/declarations/noun.ts'
import type { Method, Operation, OperationKind, OperationTypes } from '../contract/declarations/operation.ts'
import { rightFor } from '../contract/declarations/role-rights.ts'
import type { Context } from './context.ts'

/** The options of every operation, besides its rule. */
export interface OperationOptions {
  summary: string
  /** Rules, defaults and refusals that the fields do not show. */
  description?: string
  /** The path below the version prefix, if it is not the usual path of the noun. */
  path?: string
  id?: string
  group?: string
  /** `slow` adds a lower rate limit to the general one. */
  rate?: 'slow'
  /** The operation is refused with 402 if the account has too few credits. */
  spendsCredits?: boolean
  /** The operation is allowed even if the storage is full, because it moves money, ends something or frees space. Default for DELETE. */
  evenWhenFull?: boolean
  /** Kinds of callers that may call it; by default API tokens and signed-in people. */
  callers?: readonly CallerKind[]
  /**
   * The Ruby helper in `ruby-prelude/`, such as `find_anything`, through which programs call an operation that is otherwise only for the
   * dashboard. It runs in the program's transaction, so the operation must not do I/O outside.
   */
  rubyHelper?: string
  /** Runs its transactions one at a time within an account (`TransactionOptions.inTurn`): for operations that move money. */
  inTurn?: boolean
  /** The event types that it may emit, in the form in which they are delivered: `product.updated`. */
  emits?: readonly string[]
  /** A valid body for the documentation; built from the examples of the fields if absent. */
  example?: Record<string, unknown>
}

/** An operation that carries the types of its declaration. */
export interface OperationOf<T extends OperationTypes> extends Operation<Context> {
  /** For type inference only; never set. */
  readonly known?: T
}

/** Builds an operation from its kind, its options and the additions of its verb. */
export function operation(
  noun: Noun,
  kind: OperationKind,
  method: Method,
  path: string,
  options: OperationOptions,
  more: Partial<Operation<Context>> & Pick<Operation<Context>, 'apply'>,
): Operation<Context> {
  const { rubyHelper: word = null } = options
  if (word !== null && more.outside)
    throw new Error(`Programs have ${word}, so it may not work outside their transaction`)
  const id = options.id ?? `${kind}_${noun.name}`
  const writes = more.writes ?? method !== 'GET'
  return {
    id,
    method,
    path: options.path ?? path,
    group: options.group ?? noun.group,
    summary: options.summary,
    description: options.description ?? '',
    noun,
    kind,
    answersList: kind === 'list',
    addressed: true,
    query: {},
    body: null,
    bodyMode: 'create',
    sorts: [],
    expandable: kind !== 'delete',
    writes,
    outside: false,
    rate: options.rate ?? 'general',
    spendsCredits: options.spendsCredits ?? false,
    evenWhenFull: options.evenWhenFull ?? method === 'DELETE',
    callers: options.callers ?? USERS,
    word,
    needs: rightFor({ id, noun: more.noun ?? noun, writes }),
    inTurn: options.inTurn ?? false,
    checks: [],
    emits: options.emits ?? [],
    example: options.example ?? null,
    status: 200,
    findsExisting: false,
    ...more,
  }
}
