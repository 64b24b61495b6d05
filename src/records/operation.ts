import { type CallerKind, USERS } from '../contract/declarations/caller.ts'
import type { Noun } from '../contract/declarations/noun.ts'
import type { Method, Operation, OperationKind, OperationTypes } from '../contract/declarations/operation.ts'
import { rightFor } from '../contract/declarations/role-rights.ts'
import type { Context } from './context.ts'

/** What every operation may say besides its rule. */
export interface OperationOptions {
  summary: string
  /** What a caller must know beyond the fields: rules, defaults, refusals. */
  description?: string
  /** Path below the version prefix, where it is not the noun's own. */
  path?: string
  id?: string
  group?: string
  /** `slow` gives it a lower rate limit of its own, besides the general one. */
  rate?: 'slow'
  /** It is refused with 402 when the account has too few credits. */
  spendsCredits?: boolean
  /** It goes on when the account may store no more, as deleting does: it moves money, ends something or makes room. */
  evenWhenFull?: boolean
  /** Who may call it; API tokens and signed-in people when absent. */
  callers?: readonly CallerKind[]
  /**
   * The word of `ruby-prelude/` by which programs call an operation that only the dashboard has otherwise: `find_anything`. It is part
   * of the program's transaction like every call, so it never works outside.
   */
  word?: string
  /** Its transactions take turns within an account; see `TransactionOptions.inTurn`. For operations that move money. */
  inTurn?: boolean
  /** The event types that it may emit, as they are delivered: `product.updated`. */
  emits?: readonly string[]
  /** A body that works, for the documents; made of the fields' own examples when absent. */
  example?: Record<string, unknown>
}

/** An operation whose declaration the compiler knows. */
export interface OperationOf<T extends OperationTypes> extends Operation<Context> {
  /** Types only. */
  readonly known?: T
}

/** A complete operation from its kind, its options and what its verb adds. */
export function operation(
  noun: Noun,
  kind: OperationKind,
  method: Method,
  path: string,
  options: OperationOptions,
  more: Partial<Operation<Context>> & Pick<Operation<Context>, 'apply'>,
): Operation<Context> {
  const { word = null } = options
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
