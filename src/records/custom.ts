import type { Fields } from '../contract/declarations/field.ts'
import type { InputOf, Noun } from '../contract/declarations/noun.ts'
import type { BodyCheck, Method, Operation } from '../contract/declarations/operation.ts'
import type { Context, OutsideContext } from './context.ts'
import { type OperationOptions, operation } from './operation.ts'

/** The names in a path's braces: `id` of `/files/{id}/confirm`. */
type PathNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathNames<Rest>
  : never

/** What the rule of a custom operation finds of the request. */
interface CustomCall<Path extends string, Query extends Fields, Body extends Fields> {
  /** By the names in the path's braces. */
  path: Record<PathNames<Path>, string>
  query: InputOf<Query>
  input: InputOf<Body>
}

interface CustomOptions<Path extends string, Query extends Fields, Body extends Fields> extends OperationOptions {
  id: string
  method: Method
  path: Path
  /** What it answers: a stored noun, or one that only answers show. */
  answers: Noun
  query?: Query
  body?: Body
  /** What its rule refuses by the body alone (`Operation.checks`). */
  checks?: readonly BodyCheck<Context, Partial<InputOf<Body>>>[]
  status?: 200 | 201
  /** A POST that only looks, such as a validation. */
  readsOnly?: boolean
}

/** What the rule of a custom list gives back. */
export interface CustomPage {
  rows: unknown[]
  hasMore: boolean
}

/** An operation that fits no verb: its rule sees the path, the query and the body, and answers one object. */
export function custom<
  const Path extends string,
  const Query extends Fields = Fields,
  const Body extends Fields = Fields,
>(
  options: CustomOptions<Path, Query, Body> & {
    rule(context: Context, call: CustomCall<Path, Query, Body>): Promise<object>
  },
): Operation<Context> {
  return customOperation(options, {
    apply: async (context, call) => ({
      kind: 'one',
      row: await options.rule(context, callOf<Path, Query, Body>(call)),
    }),
  })
}

/** As `custom`, answering a page of objects. */
export function customList<const Path extends string, const Query extends Fields = Fields>(
  options: CustomOptions<Path, Query, Fields> & {
    rule(context: Context, call: CustomCall<Path, Query, Fields>): Promise<CustomPage>
  },
): Operation<Context> {
  return customOperation(options, {
    answersList: true,
    apply: async (context, call) => ({
      kind: 'list',
      ...(await options.rule(context, callOf<Path, Query, Fields>(call))),
    }),
  })
}

/**
 * As `custom`, for an answer that is work outside, such as a request to another site. No transaction is open around its
 * rule, which commits what it writes by itself; in a program it is refused once the program has written.
 */
export function outside<
  const Path extends string,
  const Query extends Fields = Fields,
  const Body extends Fields = Fields,
>(
  options: CustomOptions<Path, Query, Body> & {
    rule(context: OutsideContext, call: CustomCall<Path, Query, Body>): Promise<object>
  },
): Operation<Context> {
  return customOperation(options, {
    outside: true,
    apply: () => Promise.reject(new Error('This operation is applied outside of transactions.')),
    applyOutside: async (context: OutsideContext, call) => ({
      kind: 'one',
      row: await options.rule(context, callOf<Path, Query, Body>(call)),
    }),
  })
}

function customOperation(
  options: CustomOptions<string, Fields, Fields>,
  more: Partial<Operation<Context>> & Pick<Operation<Context>, 'apply'>,
): Operation<Context> {
  const { method, path, answers, query = {}, body = null, checks = [], status = 200, readsOnly = false } = options
  return operation(answers, 'custom', method, path, options, {
    addressed: false,
    query,
    body,
    checks: checks as readonly BodyCheck<Context>[],
    status,
    writes: method !== 'GET' && !readsOnly,
    ...more,
  })
}

/** The pipeline has checked query and body against their declarations. */
function callOf<Path extends string, Query extends Fields, Body extends Fields>(call: {
  path: Record<string, string>
  query: Record<string, unknown>
  input: Record<string, unknown>
}): CustomCall<Path, Query, Body> {
  return { path: call.path, query: call.query as InputOf<Query>, input: call.input as InputOf<Body> }
}
