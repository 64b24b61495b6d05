import { ApiError } from '../contract/declarations/errors.ts'
import type { Fields } from '../contract/declarations/field.ts'
import type { Changes, CreateInput, InputOf, Noun, Row, TraitsOf, Writable } from '../contract/declarations/noun.ts'
import type { BodyCheck, Method, Operation, OperationKind, Result } from '../contract/declarations/operation.ts'
import { LIST_PARAMETERS } from '../contract/requests/query.ts'
import { aOrAn } from '../words/names.ts'
import type { Context } from './context.ts'
import { Existing } from './existing.ts'
import { type FilterOf, type Filters, filtersOf, type QueryOf } from './filters.ts'
import { type OperationOf, type OperationOptions, operation, type PathOf } from './operation.ts'
import { NEWEST_FIRST, type Order, type PageRequest, page, type Select } from './page.ts'

interface ListOptions extends OperationOptions {
  filters?: Filters
  /** Stored numbers and moments that no one would narrow a list by; all others have their range. */
  withoutRanges?: readonly string[]
  order?: Order | ((query: Record<string, unknown>) => Order)
  /** Stored fields, never null and with an index, that pages of the dashboard may sort it by, besides the time of creation. */
  sortedBy?: readonly string[]
}

interface CreateOptions<N extends Noun, Body extends Fields> extends OperationOptions {
  findsExisting?: boolean
  /** Fields of its body that the resource does not have, or shows in another form. */
  body?: Body
  /** Work outside that comes before the transaction (`Operation.prepare`). */
  prepare?(context: Context, input: Partial<CreateInput<N>>): Promise<void>
  /** What its rule refuses by the body alone (`Operation.checks`). */
  checks?: readonly BodyCheck<Context, Partial<BodyOf<N, Body>>>[]
  rule(context: Context, input: BodyOf<N, Body>): Promise<Row<N> | Existing<N>>
}

/** A create's body: the noun's fields, and those that take their place. */
type BodyOf<N extends Noun, Body extends Fields> = Omit<CreateInput<N>, keyof Body> & InputOf<Body>

interface UpdateOptions<N extends Noun, Body extends Fields> extends OperationOptions {
  /** As in a create. */
  body?: Body
  /** Finds the row that no path names. */
  find?: (context: Context) => Promise<Row<N>>
  /** As in a create. */
  prepare?(context: Context, changes: Changes<N>): Promise<void>
  rule(context: Context, row: Row<N>, changes: ChangesOf<N, Body>): Promise<Row<N>>
}

/** What an update's rule receives: those of the noun's fields, and of those that take their place, that the body named. */
type ChangesOf<N extends Noun, Body extends Fields> = Omit<Changes<N>, keyof Body> & Partial<InputOf<Body>>

interface ActionOptions<N extends Noun, Body extends Fields> extends OperationOptions {
  body?: Body
  /** As in a create. */
  checks?: readonly BodyCheck<Context, Partial<InputOf<Body>>>[]
  rule(context: Context, row: Row<N>, input: InputOf<Body>): Promise<Row<N>>
}

interface CollectionActionOptions<N extends Noun, Body extends Fields> extends OperationOptions {
  body?: Body
  rule(context: Context, input: InputOf<Body>): Promise<Row<N>>
}

type Own<N> = `/${TraitsOf<N>['plural']}`
type One<N> = `${Own<N>}/{${TraitsOf<N>['slug'] extends true ? 'id_or_slug' : 'id'}}`

/** What the compiler knows of an operation of a noun. */
interface Verb<N extends Noun, M extends Method, Path extends string, Body = Record<never, never>> {
  method: M
  path: Path
  noun: N
  answers: M extends 'DELETE' ? 'deleted' : 'one'
  query: Record<never, never>
  body: Body
}

/** The fields of a body: the noun's, and those that take their place. */
type Replaced<Usual, Body> = Omit<Usual, keyof Body> & Body

/** The verbs of one noun, typed by it. Each makes a complete operation from a few words and a rule. */
export function verbs<const N extends Noun>(noun: N) {
  const own = `/${noun.plural}`
  const one = `${own}/{${noun.slug ? 'id_or_slug' : 'id'}}`
  const make = (
    kind: OperationKind,
    method: Method,
    path: string,
    options: OperationOptions,
    more: Partial<Operation<Context>> & Pick<Operation<Context>, 'apply'>,
  ) => operation(noun, kind, method, path, options, more)

  return {
    list: <const Options extends ListOptions>({
      filters: declared = {},
      withoutRanges = [],
      order = NEWEST_FIRST,
      sortedBy = [],
      ...options
    }: Options): OperationOf<
      Omit<Verb<N, 'GET', PathOf<Options, Own<N>>>, 'answers' | 'query'> & {
        answers: 'list'
        query: QueryOf<N, Options['filters']>
      }
    > => {
      const filters = filtersOf(noun, declared, withoutRanges)
      const parameters = Object.entries(filters).map(([name, { parameter }]) => [name, parameter])
      return make(
        'list',
        'GET',
        own,
        { id: `list_${noun.plural}`, ...options },
        {
          query: { ...LIST_PARAMETERS, ...Object.fromEntries(parameters) },
          addressed: false,
          sorts: ['created_at', ...sortedBy].flatMap((name) => [`-${name}`, name]),
          apply: async (context, { query }) => ({
            kind: 'list',
            ...(await page(context, noun, pageRequest(noun, { filters, order }, query, context))),
          }),
        },
      )
    },

    retrieve: <const Options extends OperationOptions & { find?: (context: Context) => Promise<unknown> }>({
      find,
      ...options
    }: Options): OperationOf<Verb<N, 'GET', PathOf<Options, One<N>>>> =>
      make('retrieve', 'GET', one, options, {
        addressed: find === undefined,
        apply: async (context, { target }) => ({ kind: 'one', row: find ? await find(context) : target }),
      }),

    create: <const Body extends Fields = Record<never, never>>({
      rule,
      prepare,
      body,
      findsExisting = false,
      checks = [],
      ...options
    }: CreateOptions<N, Body>): OperationOf<Verb<N, 'POST', Own<N>, Replaced<Writable<N, 'create'>, Body>>> =>
      make('create', 'POST', own, options, {
        ...(prepare && { prepare: (context, input) => prepare(context, input as CreateInput<N>) }),
        addressed: false,
        findsExisting,
        checks: checks as readonly BodyCheck<Context>[],
        body: { ...writable(noun, 'create'), ...body },
        bodyMode: 'create',
        status: 201,
        apply: async (context, { input }) => answer<N>(await rule(context, input as BodyOf<N, Body>)),
      }),

    update: <const Body extends Fields = Record<never, never>, const Path extends string = One<N>>({
      rule,
      prepare,
      find,
      body,
      ...options
    }: UpdateOptions<N, Body> & { path?: Path }): OperationOf<
      Verb<N, 'PATCH', Path, Replaced<Writable<N, 'update'>, Body>>
    > =>
      make('update', 'PATCH', one, options, {
        ...(prepare && { prepare: (context, changes) => prepare(context, changes as Changes<N>) }),
        addressed: find === undefined,
        body: { ...writable(noun, 'update'), ...body },
        bodyMode: 'update',
        apply: async (context, { target, input }) => {
          const row = find ? await found(context, noun, find) : (target as Row<N>)
          return { kind: 'one', row: await rule(context, row, input as ChangesOf<N, Body>) }
        },
      }),

    remove: ({
      rule,
      ...options
    }: OperationOptions & { rule(context: Context, row: Row<N>): Promise<void> }): OperationOf<
      Verb<N, 'DELETE', One<N>>
    > =>
      make(
        'delete',
        'DELETE',
        one,
        { id: `delete_${noun.name}`, ...options },
        {
          apply: async (context, { target }) => {
            await rule(context, target as Row<N>)
            return { kind: 'deleted', id: (target as Row<N>).id }
          },
        },
      ),

    /** `POST …/{id}/<name>`. Where the noun's table of states names the action, the state decides whether it is allowed. */
    action: <
      const Name extends string,
      const Body extends Fields = Record<never, never>,
      const Path extends string = `${One<N>}/${Name}`,
    >(
      name: Name,
      { rule, body, checks = [], ...options }: ActionOptions<N, Body> & { path?: Path },
    ): OperationOf<Verb<N, 'POST', Path, Body>> =>
      make(
        'action',
        'POST',
        `${one}/${name}`,
        { id: `${name}_${noun.name}`, ...options },
        {
          body: body ?? null,
          checks: checks as readonly BodyCheck<Context>[],
          apply: async (context, { target, input }) => {
            requireState(noun, name, target as Record<string, unknown>)
            return { kind: 'one', row: await rule(context, target as Row<N>, input as InputOf<Body>) }
          },
        },
      ),

    /** `POST …/<name>`: an action that names no row. */
    collectionAction: <const Name extends string, const Body extends Fields = Record<never, never>>(
      name: Name,
      { rule, body, ...options }: CollectionActionOptions<N, Body>,
    ): OperationOf<Verb<N, 'POST', `${Own<N>}/${Name}`, Body>> =>
      make(
        'action',
        'POST',
        `${own}/${name}`,
        { id: `${name}_${noun.plural}`, ...options },
        {
          addressed: false,
          body: body ?? null,
          apply: async (context, { input }) => ({ kind: 'one', row: await rule(context, input as InputOf<Body>) }),
        },
      ),
  }
}

/** A row that no path names is remembered like one that a path names. */
async function found<N extends Noun>(
  context: Context,
  noun: N,
  find: (context: Context) => Promise<Row<N>>,
): Promise<Row<N>> {
  const row = await find(context)
  await context.remember(noun, [row])
  return row
}

/** The fields a body may name, under the names of answers, in catalogue order. */
function writable(noun: Noun, mode: 'create' | 'update'): Fields {
  const allowed = mode === 'create' ? ['always', 'create'] : ['always', 'update']
  return Object.fromEntries(Object.entries(noun.fields).filter(([, field]) => allowed.includes(field.spec.write)))
}

function answer<N>(made: Row<N> | Existing<N>): Result {
  return made instanceof Existing ? { kind: 'one', row: made.row, status: 200 } : { kind: 'one', row: made }
}

/** Throws a 400 when the noun's table of states names the action, and not for the state of the row. */
export function requireState(noun: Noun, action: string, row: Record<string, unknown>): void {
  const allowed = noun.states?.[String(row.status)]
  if (!allowed || allowed.includes(action) || !Object.values(noun.states!).flat().includes(action)) return
  const can = allowed.length > 0 ? `Allowed: ${allowed.join(', ')}.` : 'No actions are allowed in this state.'
  throw new ApiError('invalid_state', `Cannot ${action} ${aOrAn(noun.name)} that is ${row.status}. ${can}`)
}

function pageRequest(
  noun: Noun,
  { filters, order }: { filters: Filters; order: NonNullable<ListOptions['order']> },
  query: Record<string, unknown>,
  context: Context,
): PageRequest {
  const given = Object.entries(filters).filter(([name]) => query[name] !== undefined)
  return {
    order: query.sort === undefined ? usual(order, query) : orderOf(noun, String(query.sort)),
    limit: query.limit as number,
    startingAfter: query.starting_after as string | undefined,
    narrow: given.length === 0 ? undefined : (select) => narrowed(select, given, query, context),
  }
}

function usual(order: NonNullable<ListOptions['order']>, query: Record<string, unknown>): Order {
  return typeof order === 'function' ? order(query) : order
}

/**
 * Ids sort by creation. Numbers are sorted by an expression, so that their index is not taken for ranges of them: the
 * embedded engine would sort all rows of a wide range for each page.
 */
function orderOf(noun: Noun, sort: string): Order {
  const name = sort.replace(/^-/, '')
  const direction = sort.startsWith('-') ? 'desc' : 'asc'
  if (name === 'created_at') return { key: null, direction }
  const key = noun.fields[name]!.spec.type === 'integer' ? `("${name}" + 0)` : `"${name}"`
  return { key, direction, ownIndex: true }
}

async function narrowed(select: Select, given: [string, FilterOf][], query: Record<string, unknown>, context: Context) {
  let result = select
  for (const [name, filter] of given) result = await filter.apply(result, query[name], context)
  return result
}
