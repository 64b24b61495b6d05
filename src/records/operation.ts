import { type CallerKind, USERS } from '../contract/declarations/caller.ts'
import { eventType, type Noun } from '../contract/declarations/noun.ts'
import {
  type Method,
  type Operation,
  type OperationKind,
  type OperationTypes,
  USUAL_EVENTS,
} from '../contract/declarations/operation.ts'
import { type RoleRight, rightFor } from '../contract/declarations/role-rights.ts'
import type { Context } from './context.ts'

export interface OperationOptions {
  summary: string
  description?: string
  /** The path below the version prefix, if it differs from the usual path of the noun. */
  path?: string
  id?: string
  group?: string
  /** The right that the caller's role needs; by default that to read or write the noun's area. */
  right?: RoleRight
  /** `slow` adds a lower rate limit to the general rate limit. */
  rate?: 'slow'
  spendsCredits?: boolean
  /** Allows the operation when the storage is full, because it moves money, ends something or frees space. Default for DELETE. */
  evenWhenFull?: boolean
  /** By default API tokens and signed-in people. */
  callers?: readonly CallerKind[]
  /**
   * The helper in `ruby-prelude/`, such as `find_anything`, through which Ruby programs call an operation that otherwise only the
   * dashboard calls. It runs in the program's transaction, so the operation must not do I/O outside the service.
   */
  rubyHelper?: string
  /** Runs the operation's transactions one at a time in an account (`TransactionOptions.inTurn`), because they move money. */
  inTurn?: boolean
  /** Named as in webhooks: `product.updated`. By default the usual event of its kind (`USUAL_EVENTS`), if the noun has it. */
  emits?: readonly string[]
  /** A valid body for the documentation; if absent, it is built from the examples of the fields. */
  example?: Record<string, unknown>
}

export interface OperationOf<T extends OperationTypes> extends Operation<Context> {
  /** Never set; it only carries the types. */
  readonly known?: T
}

export function operation(
  noun: Noun,
  kind: OperationKind,
  method: Method,
  path: string,
  options: OperationOptions,
  more: Partial<Operation<Context>> & Pick<Operation<Context>, 'apply'>,
): Operation<Context> {
  const { rubyHelper = null } = options
  if (rubyHelper !== null && more.outside)
    throw new Error(`Programs have ${rubyHelper}, so it may not work outside their transaction`)
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
    rubyHelper,
    needs: options.right ?? rightFor(more.noun ?? noun, writes),
    inTurn: options.inTurn ?? false,
    checks: [],
    emits: options.emits ?? usualEvents(noun, kind),
    example: options.example ?? null,
    status: 200,
    findsExisting: false,
    ...more,
  }
}

function usualEvents(noun: Noun, kind: OperationKind): string[] {
  const event = USUAL_EVENTS[kind]
  return event !== undefined && noun.events.includes(event) ? [eventType(noun, event)] : []
}
