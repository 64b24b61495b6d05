import type { Fields } from '../contract/declarations/field.ts'
import type { AnswerOf, InputOf, Noun } from '../contract/declarations/noun.ts'
import type { BodyCheck, Method, Operation, PathNames } from '../contract/declarations/operation.ts'
import type { Context, OutsideContext } from './context.ts'
import { type OperationOf, type OperationOptions, operation } from './operation.ts'

interface CustomCall<Path extends string, Query extends Fields, Body extends Fields> {
  path: Record<PathNames<Path>, string>
  query: InputOf<Query>
  input: InputOf<Body>
}

interface CustomOptions<
  Query extends Fields,
  Body extends Fields,
  M extends Method = Method,
  Path extends string = string,
  N extends Noun = Noun,
> extends OperationOptions {
  id: string
  method: M
  path: Path
  /** The noun of the response, which is either stored or exists only in responses. */
  answers: N
  query?: Query
  body?: Body
  /** Checks that depend on the body alone; see `Operation.checks`. */
  checks?: readonly BodyCheck<Context, Partial<InputOf<Body>>>[]
  status?: 200 | 201
  /** Set for a POST that changes nothing, such as a validation. */
  readsOnly?: boolean
}

interface Custom<Query extends Fields, Body, M, Path, N> {
  method: M
  path: Path
  noun: N
  answers: 'one'
  query: Partial<InputOf<Query>>
  body: Body
}

export interface CustomPage<Answer> {
  rows: Answer[]
  hasMore: boolean
}

/** Forbids keys that the noun of the response does not declare. */
type Exactly<Answer, Given> = Answer & { [Key in Exclude<keyof Given, keyof Answer>]: never }

/** Declares an operation that fits no verb. Its `rule` receives path, query and body, and returns one object. */
export function custom<
  const M extends Method,
  const Path extends string,
  N extends Noun,
  Given extends Exactly<AnswerOf<N>, Given>,
  const Query extends Fields = Record<never, never>,
  const Body extends Fields = Record<never, never>,
>(
  options: CustomOptions<Query, Body, M, Path, N> & {
    rule(context: Context, call: CustomCall<Path, Query, Body>): Promise<Given>
  },
): OperationOf<Custom<Query, Body, M, Path, N>> {
  return customOperation(options, {
    apply: async (context, call) => ({
      kind: 'one',
      row: await options.rule(context, callOf<Path, Query, Body>(call)),
    }),
  })
}

export function customList<
  const M extends Method,
  const Path extends string,
  N extends Noun,
  Given extends Exactly<AnswerOf<N>, Given>,
  const Query extends Fields = Record<never, never>,
>(
  options: CustomOptions<Query, Fields, M, Path, N> & {
    rule(context: Context, call: CustomCall<Path, Query, Fields>): Promise<CustomPage<Given>>
  },
): OperationOf<Omit<Custom<Query, Record<never, never>, M, Path, N>, 'answers'> & { answers: 'list' }> {
  return customOperation(options, {
    answersList: true,
    apply: async (context, call) => ({
      kind: 'list',
      ...(await options.rule(context, callOf<Path, Query, Fields>(call))),
    }),
  })
}

/**
 * Like `custom`, but for a `rule` that does I/O outside the service, such as a request to another site. The rule runs without a
 * transaction and commits its own writes, so a Ruby program cannot call the operation after the program has written.
 */
export function outside<
  const M extends Method,
  const Path extends string,
  N extends Noun,
  Given extends Exactly<AnswerOf<N>, Given>,
  const Query extends Fields = Record<never, never>,
  const Body extends Fields = Record<never, never>,
>(
  options: CustomOptions<Query, Body, M, Path, N> & {
    rule(context: OutsideContext, call: CustomCall<Path, Query, Body>): Promise<Given>
  },
): OperationOf<Custom<Query, Body, M, Path, N>> {
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
  options: CustomOptions<Fields, Fields>,
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

/** Only casts the types, because the pipeline has already validated query and body. */
function callOf<Path extends string, Query extends Fields, Body extends Fields>(call: {
  path: Record<string, string>
  query: Record<string, unknown>
  input: Record<string, unknown>
}): CustomCall<Path, Query, Body> {
  return { path: call.path, query: call.query as InputOf<Query>, input: call.input as InputOf<Body> }
}
