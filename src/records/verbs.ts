import { ApiError } from '../contract/errors.ts'
import type { Field, Fields } from '../contract/field.ts'
import { text } from '../contract/kinds.ts'
import type { Changes, CreateInput, InputOf, Noun, Row } from '../contract/noun.ts'
import type { Filter, Method, Operation, OperationKind, Result, Role } from '../contract/operation.ts'
import { LIST_PARAMETERS } from '../contract/query.ts'
import type { Context } from './context.ts'
import { aOrAn, containing, NEWEST_FIRST, type Order, type PageRequest, page, type Select } from './page.ts'

/** What every verb may say beside its rule. */
interface Words {
  summary: string
  /** What a caller must know beyond the fields: rules, defaults, refusals. */
  about?: string
  /** Path below the version prefix, where it is not the noun's own. */
  path?: string
  id?: string
  tag?: string
  role?: Role
  emits?: readonly string[]
  /** A body that works, for the documents; made of the fields' own examples when absent. */
  example?: Record<string, unknown>
}

type FilterOf = Filter<Select, Context>

interface ListWords<N> extends Words {
  filters?: Record<string, FilterOf>
  order?: Order | ((query: Record<string, unknown>) => Order)
  noun?: N
}

/** What a create returns when the thing was there already: it answers 200 instead of 201. */
export class Existing<N> {
  readonly row: Row<N>

  constructor(row: Row<N>) {
    this.row = row
  }
}

/** The verbs of one noun, typed by it. Each makes a complete operation from a few words and a rule. */
export function verbs<const N extends Noun>(noun: N) {
  const own = `/${noun.plural}`
  const one = `${own}/{${noun.slug ? 'id_or_slug' : 'id'}}`
  const make = (
    kind: OperationKind,
    method: Method,
    path: string,
    words: Words,
    more: Partial<Operation<Context>> & Pick<Operation<Context>, 'run'>,
  ) => operation(noun, kind, method, words.path ?? path, words, more)

  return {
    list: ({ filters = {}, order = NEWEST_FIRST, ...words }: ListWords<N>) =>
      make(
        'list',
        'GET',
        own,
        { id: `list_${noun.plural}`, ...words },
        {
          query: {
            ...LIST_PARAMETERS,
            ...Object.fromEntries(Object.entries(filters).map(([name, filter]) => [name, filter.parameter])),
          },
          addressed: false,
          run: async (context, { query }) => ({
            kind: 'list',
            ...(await page(context, noun, pageRequest(filters, order, query, context))),
          }),
        },
      ),

    retrieve: (words: Words & { find?: (context: Context) => Promise<unknown> }) =>
      make('retrieve', 'GET', one, words, {
        addressed: words.find === undefined,
        run: async (context, { target }) => ({ kind: 'one', row: words.find ? await words.find(context) : target }),
      }),

    create: (
      words: Words & {
        findsExisting?: boolean
        run(context: Context, input: CreateInput<N>): Promise<Row<N> | Existing<N>>
      },
    ) =>
      make('create', 'POST', own, words, {
        addressed: false,
        findsExisting: words.findsExisting ?? false,
        body: writable(noun, 'create'),
        bodyMode: 'create',
        status: 201,
        run: async (context, { input }) => answer<N>(await words.run(context, input as CreateInput<N>)),
      }),

    update: (
      words: Words & {
        find?: (context: Context) => Promise<Row<N>>
        run(context: Context, row: Row<N>, changes: Changes<N>): Promise<Row<N>>
      },
    ) =>
      make('update', 'PATCH', one, words, {
        addressed: words.find === undefined,
        body: writable(noun, 'update'),
        bodyMode: 'update',
        run: async (context, { target, input }) => {
          const row = (words.find ? await words.find(context) : target) as Row<N>
          return { kind: 'one', row: await words.run(context, row, input as Changes<N>) }
        },
      }),

    remove: (words: Words & { run(context: Context, row: Row<N>): Promise<void> }) =>
      make(
        'delete',
        'DELETE',
        one,
        { id: `delete_${noun.name}`, ...words },
        {
          run: async (context, { target }) => {
            await words.run(context, target as Row<N>)
            return { kind: 'deleted', id: (target as Row<N>).id }
          },
        },
      ),

    /** `POST …/{id}/<name>`. With `from`, the noun's state table decides when it is allowed. */
    action: <const Name extends string, const Body extends Fields>(
      name: Name,
      words: Words & { body?: Body; run(context: Context, row: Row<N>, input: InputOf<Body>): Promise<Row<N>> },
    ) =>
      make(
        'action',
        'POST',
        `${one}/${name}`,
        { id: `${name}_${noun.name}`, ...words },
        {
          body: words.body ?? null,
          run: async (context, { target, input }) => {
            refuseInWrongState(noun, name, target as Record<string, unknown>)
            return { kind: 'one', row: await words.run(context, target as Row<N>, input as InputOf<Body>) }
          },
        },
      ),
  }
}

function operation(
  noun: Noun,
  kind: OperationKind,
  method: Method,
  path: string,
  words: Words,
  more: Partial<Operation<Context>> & Pick<Operation<Context>, 'run'>,
): Operation<Context> {
  return {
    id: words.id ?? `${kind}_${noun.name}`,
    method,
    path,
    tag: words.tag ?? noun.tag,
    summary: words.summary,
    description: words.about ?? '',
    noun,
    kind,
    addressed: true,
    query: {},
    body: null,
    bodyMode: 'create',
    expandable: kind !== 'delete',
    writes: method !== 'GET',
    role: words.role ?? null,
    emits: words.emits ?? [],
    example: words.example ?? null,
    status: 200,
    findsExisting: false,
    ...more,
  }
}

/** The fields a body may name, under the names of answers, in catalogue order. */
function writable(noun: Noun, mode: 'create' | 'update'): Fields {
  const allowed = mode === 'create' ? ['always', 'create'] : ['always', 'update']
  return Object.fromEntries(Object.entries(noun.fields).filter(([, field]) => allowed.includes(field.spec.write)))
}

function answer<N>(made: Row<N> | Existing<N>): Result {
  return made instanceof Existing ? { kind: 'one', row: made.row, status: 200 } : { kind: 'one', row: made }
}

function refuseInWrongState(noun: Noun, action: string, row: Record<string, unknown>): void {
  const allowed = noun.states?.[String(row.status)]
  if (!allowed || allowed.includes(action) || !Object.values(noun.states!).flat().includes(action)) return
  const can = allowed.length > 0 ? `It allows: ${allowed.join(', ')}.` : 'It allows no action.'
  throw new ApiError('invalid_state', `Cannot ${action} ${aOrAn(noun.name)} that is ${row.status}. ${can}`)
}

function pageRequest(
  filters: Record<string, FilterOf>,
  order: ListWords<Noun>['order'],
  query: Record<string, unknown>,
  context: Context,
): PageRequest {
  const given = Object.entries(filters).filter(([name]) => query[name] !== undefined)
  return {
    order: typeof order === 'function' ? order(query) : order!,
    limit: query.limit as number,
    startingAfter: query.starting_after as string | undefined,
    narrow: given.length === 0 ? undefined : (select) => narrowed(select, given, query, context),
  }
}

async function narrowed(select: Select, given: [string, FilterOf][], query: Record<string, unknown>, context: Context) {
  let result = select
  for (const [name, filter] of given) result = await filter.apply(result, query[name], context)
  return result
}

/** Rows whose column equals the parameter; the parameter is documented and checked as the field is. */
export function equals(noun: Noun, column: string, description?: string): FilterOf {
  const declared = noun.fields[column]!
  const parameter = Object.assign(Object.create(Object.getPrototypeOf(declared)), declared, {
    spec: { ...declared.spec, fallback: undefined, ...(description && { description }) },
  }) as Field
  return {
    parameter,
    apply: (query, value) => query.where(column, '=', typeof value === 'boolean' ? Number(value) : value),
  }
}

/** Rows that a resource's searchable words contain, whatever the case. */
export function search(description: string): FilterOf {
  return {
    parameter: text(description, { max: 200, example: 'ruby' }),
    apply: (query, value) => query.where(containing('search_text', String(value))),
  }
}

/** A filter with its own rule. */
export function filter(parameter: Field, apply: FilterOf['apply']): FilterOf {
  return { parameter, apply }
}
