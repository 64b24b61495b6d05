import type { Noun } from '../../../contract/declarations/noun.ts'
import type { Operation } from '../../../contract/declarations/operation.ts'
import type { Pipeline } from '../../../pipeline/run.ts'
import type { Context } from '../../../records/context.ts'
import type { BodyFields, OperationName } from '../../../resources/operation-types.ts'

export type Op = Operation<Context>

export interface Manageable {
  noun: Noun
  /** The first segment of the resource's paths in the API and in the dashboard, such as `products`. */
  path: string
  list: Op | null
  retrieve: Op | null
  create: Op | null
  update: Op | null
  remove: Op | null
  actions: Map<string, Op>
}

/** The resources that have pages, and the views that customize those pages. */
export class Catalogue<View = unknown> {
  readonly #byPath = new Map<string, Manageable>()
  readonly #byNoun = new Map<string, Manageable>()
  readonly #byName = new Map<string, Op>()

  readonly #views: Readonly<Record<string, View>>

  /** `views` are keyed by noun. */
  constructor(
    { dashboardOperations }: Pick<Pipeline, 'dashboardOperations'>,
    views: Readonly<Record<string, View>> = {},
  ) {
    this.#views = views
    for (const operation of dashboardOperations) {
      this.#byName.set(`${operation.method} ${operation.path}`, operation)
      this.#add(operation)
    }
  }

  at(path: string): Manageable | undefined {
    return this.#byPath.get(path)
  }

  of(noun: string): Manageable | undefined {
    return this.#byNoun.get(noun)
  }

  /** Returns the resource at a path that a hand-written page relies on. Throws if there is none. */
  knownAt(path: string): Manageable {
    return known(this.at(path), path)
  }

  /** Returns the resource of a noun that a hand-written page relies on. Throws if there is none. */
  known(noun: string): Manageable {
    return known(this.of(noun), noun)
  }

  viewOf(noun: string): View | undefined {
    return this.#views[noun]
  }

  bodyOf<Name extends OperationName>(name: Name): BodyFields<Name> {
    return (this.#byName.get(name)?.body ?? {}) as BodyFields<Name>
  }

  all(): Manageable[] {
    return [...this.#byPath.values()]
  }

  #add(operation: Op): void {
    const [path = '', target, action, more] = operation.path.split('/').filter(Boolean)
    const addressed = target?.startsWith('{') ?? false
    if (more !== undefined || (target !== undefined && !addressed)) return
    const { kind } = operation
    if (target === undefined && kind !== 'list' && kind !== 'create') return
    if (action === undefined) this.#place(this.#entry(path, operation.noun), operation)
    else if (operation.method === 'POST') this.#entry(path, operation.noun).actions.set(action, operation)
  }

  #place(entry: Manageable, operation: Op): void {
    const { kind } = operation
    if (kind === 'list') entry.list = operation
    else if (kind === 'create') entry.create = operation
    else if (kind === 'retrieve') entry.retrieve = operation
    else if (kind === 'update') entry.update = operation
    else if (kind === 'delete') entry.remove = operation
  }

  #entry(path: string, noun: Noun): Manageable {
    const known = this.#byPath.get(path)
    if (known) return known
    const none = { list: null, retrieve: null, create: null, update: null, remove: null }
    const entry = { noun, path, ...none, actions: new Map<string, Op>() }
    this.#byPath.set(path, entry)
    this.#byNoun.set(noun.name, entry)
    return entry
  }
}

function known(things: Manageable | undefined, name: string): Manageable {
  if (things === undefined) throw new Error(`A page is made for ${name}, which is not declared`)
  return things
}

/** Returns an operation's path with the id filled in, such as `/products/prod_…`. */
export function pathTo({ path }: Pick<Op, 'path'>, id: string): string {
  return path.replace(/\{[^}]+\}/, encodeURIComponent(id))
}
