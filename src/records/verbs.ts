import { ApiError } from '../contract/declarations/errors.ts'
import type { Fields } from '../contract/declarations/field.ts'
import type { Changes, CreateInput, InputOf, Noun, Row, Writable } from '../contract/declarations/noun.ts'
import type { BodyCheck, Operation, Result } from '../contract/declarations/operation.ts'
import { aOrAn } from '../format/names.ts'
import type { Context } from './context.ts'
import { Existing } from './existing.ts'
import { type ListOptions, list } from './list.ts'
import { type OperationOf, type OperationOptions, operation } from './operation.ts'
import type { All, List, One, Replaced, Retrieve, Verb } from './verb-types.ts'

interface RetrieveOptions extends OperationOptions {
  /** Finds the row for an operation whose path names none. */
  find?: (context: Context) => Promise<unknown>
}

interface RemoveOptions<N extends Noun> extends OperationOptions {
  rule(context: Context, row: Row<N>): Promise<void>
}

type NoFields = Record<never, never>

interface CreateOptions<N extends Noun, Body extends Fields> extends OperationOptions {
  findsExisting?: boolean
  /** Additional fields of the body, or fields that have another form than in the resource. */
  body?: Body
  /** Does I/O outside the service before the transaction begins; see `Operation.prepare`. */
  prepare?(context: Context, input: Partial<CreateInput<N>>): Promise<void>
  /** Checks that depend on the body alone; see `Operation.checks`. */
  checks?: readonly BodyCheck<Context, Partial<BodyOf<N, Body>>>[]
  rule(context: Context, input: BodyOf<N, Body>): Promise<Row<N> | Existing<N>>
}

type BodyOf<N extends Noun, Body extends Fields> = Omit<CreateInput<N>, keyof Body> & InputOf<Body>

interface UpdateOptions<N extends Noun, Body extends Fields> extends OperationOptions {
  body?: Body
  /** Finds the row for an operation whose path names none. */
  find?: (context: Context) => Promise<Row<N>>
  prepare?(context: Context, changes: Changes<N>): Promise<void>
  rule(context: Context, row: Row<N>, changes: ChangesOf<N, Body>): Promise<Row<N>>
}

type ChangesOf<N extends Noun, Body extends Fields> = Omit<Changes<N>, keyof Body> & Partial<InputOf<Body>>

interface ActionOptions<N extends Noun, Body extends Fields> extends OperationOptions {
  body?: Body
  checks?: readonly BodyCheck<Context, Partial<InputOf<Body>>>[]
  rule(context: Context, row: Row<N>, input: InputOf<Body>): Promise<Row<N>>
}

interface CollectionActionOptions<N extends Noun, Body extends Fields> extends OperationOptions {
  body?: Body
  rule(context: Context, input: InputOf<Body>): Promise<Row<N>>
}

/** Returns functions that declare the operations of a noun, with its types; each builds an operation from its options and a `rule`. */
export function verbs<const N extends Noun>(noun: N) {
  return {
    list: <const Options extends ListOptions>(options: Options): List<N, Options> => list(noun, options),
    retrieve: <const Options extends RetrieveOptions>(options: Options): Retrieve<N, Options> =>
      retrieve(noun, options),
    create: <const Body extends Fields = NoFields>(
      options: CreateOptions<N, Body>,
    ): OperationOf<Verb<N, 'POST', All<N>, Replaced<Writable<N, 'create'>, Body>>> => create(noun, options),
    update: <const Body extends Fields = NoFields, const Path extends string = One<N>>(
      options: UpdateOptions<N, Body> & { path?: Path },
    ): OperationOf<Verb<N, 'PATCH', Path, Replaced<Writable<N, 'update'>, Body>>> => update(noun, options),
    remove: (options: RemoveOptions<N>): OperationOf<Verb<N, 'DELETE', One<N>>> => remove(noun, options),
    /** Declares `POST …/{id}/<name>`. If the noun's table of states names the action, it is allowed only in the states that list it. */
    action: <
      const Name extends string,
      const Body extends Fields = NoFields,
      const Path extends string = `${One<N>}/${Name}`,
    >(
      name: Name,
      options: ActionOptions<N, Body> & { path?: Path },
    ): OperationOf<Verb<N, 'POST', Path, Body>> => action(noun, name, options),
    /** Declares `POST …/<name>`, an action that is not about one row. */
    collectionAction: <const Name extends string, const Body extends Fields = NoFields>(
      name: Name,
      options: CollectionActionOptions<N, Body>,
    ): OperationOf<Verb<N, 'POST', `${All<N>}/${Name}`, Body>> => collectionAction(noun, name, options),
  }
}

function all(noun: Noun): string {
  return `/${noun.plural}`
}

function one(noun: Noun): string {
  return `${all(noun)}/{${noun.slug ? 'id_or_slug' : 'id'}}`
}

function retrieve(noun: Noun, { find, ...options }: RetrieveOptions): Operation<Context> {
  return operation(noun, 'retrieve', 'GET', one(noun), options, {
    addressed: find === undefined,
    apply: async (context, { target }) => ({ kind: 'one', row: find ? await find(context) : target }),
  })
}

function create<N extends Noun, Body extends Fields>(
  noun: N,
  { rule, prepare, body, findsExisting = false, checks = [], ...options }: CreateOptions<N, Body>,
): Operation<Context> {
  return operation(noun, 'create', 'POST', all(noun), options, {
    ...(prepare && { prepare: (context, input) => prepare(context, input as CreateInput<N>) }),
    addressed: false,
    findsExisting,
    checks: checks as readonly BodyCheck<Context>[],
    body: { ...writable(noun, 'create'), ...body },
    bodyMode: 'create',
    status: 201,
    apply: async (context, { input }) => answer<N>(await rule(context, input as BodyOf<N, Body>)),
  })
}

function update<N extends Noun, Body extends Fields>(
  noun: N,
  { rule, prepare, find, body, ...options }: UpdateOptions<N, Body>,
): Operation<Context> {
  return operation(noun, 'update', 'PATCH', one(noun), options, {
    ...(prepare && { prepare: (context, changes) => prepare(context, changes as Changes<N>) }),
    addressed: find === undefined,
    body: { ...writable(noun, 'update'), ...body },
    bodyMode: 'update',
    apply: async (context, { target, input }) => {
      const row = find ? await found(context, noun, find) : (target as Row<N>)
      return { kind: 'one', row: await rule(context, row, input as ChangesOf<N, Body>) }
    },
  })
}

function remove<N extends Noun>(noun: N, { rule, ...options }: RemoveOptions<N>): Operation<Context> {
  const named = { id: `delete_${noun.name}`, ...options }
  return operation(noun, 'delete', 'DELETE', one(noun), named, {
    apply: async (context, { target }) => {
      const row = target as Row<N>
      await rule(context, row)
      return { kind: 'deleted', id: row.id }
    },
  })
}

function action<N extends Noun, Body extends Fields>(
  noun: N,
  name: string,
  { rule, body, checks = [], ...options }: ActionOptions<N, Body>,
): Operation<Context> {
  const named = { id: `${name}_${noun.name}`, ...options }
  return operation(noun, 'action', 'POST', `${one(noun)}/${name}`, named, {
    body: body ?? null,
    checks: checks as readonly BodyCheck<Context>[],
    apply: async (context, { target, input }) => {
      requireState(noun, name, target as Record<string, unknown>)
      return { kind: 'one', row: await rule(context, target as Row<N>, input as InputOf<Body>) }
    },
  })
}

function collectionAction<N extends Noun, Body extends Fields>(
  noun: N,
  name: string,
  { rule, body, ...options }: CollectionActionOptions<N, Body>,
): Operation<Context> {
  const named = { id: `${name}_${noun.plural}`, ...options }
  return operation(noun, 'action', 'POST', `${all(noun)}/${name}`, named, {
    addressed: false,
    body: body ?? null,
    apply: async (context, { input }) => ({ kind: 'one', row: await rule(context, input as InputOf<Body>) }),
  })
}

/** Finds a row and copies it with `remember`, as the pipeline does for a row that the path names. */
async function found<N extends Noun>(
  context: Context,
  noun: N,
  find: (context: Context) => Promise<Row<N>>,
): Promise<Row<N>> {
  const row = await find(context)
  await context.remember(noun, [row])
  return row
}

function writable(noun: Noun, mode: 'create' | 'update'): Fields {
  const allowed = mode === 'create' ? ['always', 'create'] : ['always', 'update']
  return Object.fromEntries(Object.entries(noun.fields).filter(([, field]) => allowed.includes(field.spec.write)))
}

function answer<N>(made: Row<N> | Existing<N>): Result {
  return made instanceof Existing ? { kind: 'one', row: made.row, status: 200 } : { kind: 'one', row: made }
}

/** Throws a 400 if the noun's table of states names the action, but not for the state of this row. */
export function requireState(noun: Noun, action: string, row: Record<string, unknown>): void {
  const allowed = noun.states?.[String(row.status)]
  if (!allowed || allowed.includes(action) || !Object.values(noun.states!).flat().includes(action)) return
  const can = allowed.length > 0 ? `Allowed: ${allowed.join(', ')}.` : 'No actions are allowed in this state.'
  throw new ApiError('invalid_state', `Cannot ${action} ${aOrAn(noun.name)} that is ${row.status}. ${can}`)
}
