import type { Field } from '../../declarations/field.ts'
import { eventType, type Noun } from '../../declarations/noun.ts'
import type { OperationDeclaration } from '../../declarations/operation.ts'
import { nearestPath } from '../../values/nearest.ts'

export type NameMatch =
  | { kind: 'resource'; noun: Noun }
  | { kind: 'operations'; operations: readonly OperationDeclaration[] }
  | { kind: 'event'; noun: Noun; event: string }
  /** A name after that of a resource, as in `order.amount`; `field` is undefined if the resource has no such field. */
  | { kind: 'field'; noun: Noun; name: string; field: Field | undefined }
  /** A call, such as `GET /orders`, that matches no operation; `others` are operations of the same resource. */
  | { kind: 'missing'; call: string; others: readonly OperationDeclaration[] }

const CALL = /^(?:(GET|POST|PATCH|DELETE)\s+)?(?:https?:\/\/[^/]+)?(?:\/?v1(?=\/))?(\/[^\s?]*)/i

/** Finds what a text names: `order`, `Order items`, `/orders`, `POST /refunds`, `create_refund`, `order.paid` or `order.amount`. */
export class Names {
  readonly #nouns = new Map<string, Noun>()
  readonly #events = new Map<string, { noun: Noun; event: string }>()
  readonly #operations: readonly OperationDeclaration[]

  constructor(nouns: readonly Noun[], operations: readonly OperationDeclaration[]) {
    this.#operations = operations
    for (const noun of nouns) {
      for (const name of [noun.name, noun.plural]) this.#nouns.set(name, noun)
      if (noun.eventsStayInside) continue
      for (const event of noun.events) this.#events.set(eventType(noun, event), { noun, event })
    }
  }

  get resources(): readonly string[] {
    return [...new Set([...this.#nouns.values()].map(({ name }) => name))]
  }

  find(text: string): NameMatch | undefined {
    const noun = this.#nouns.get(text.toLowerCase().replaceAll(/[\s-]+/g, '_'))
    if (noun) return { kind: 'resource', noun }
    const event = this.#events.get(text)
    if (event) return { kind: 'event', ...event }
    const [, owner = '', name = ''] = /^(\w+)\.(\w+)$/.exec(text) ?? []
    const owning = this.#nouns.get(owner)
    const field = owning && Object.hasOwn(owning.fields, name) ? owning.fields[name] : undefined
    if (owning) return { kind: 'field', noun: owning, name, field }
    const operations = this.#called(text)
    if (operations.length > 0) return { kind: 'operations', operations }
    const path = CALL.exec(text.trim())?.[2]
    return path === undefined ? undefined : { kind: 'missing', call: text.trim(), others: this.#beneath(path) }
  }

  #beneath(path: string): OperationDeclaration[] {
    const first = path.split('/')[1]
    return this.#operations.filter((one) => one.path.split('/')[1] === first)
  }

  #called(text: string): OperationDeclaration[] {
    const byId = this.#operations.filter(({ id }) => id === text)
    const [, method, path] = CALL.exec(text) ?? []
    if (byId.length > 0 || path === undefined) return byId
    const shape = shapeOf(path)
    const exact = this.#operations.filter((one) => one.path === path)
    const there = exact.length > 0 ? exact : this.#operations.filter((one) => shapeOf(one.path) === shape)
    return there.filter((one) => method === undefined || one.method === method.toUpperCase())
  }
}

/** Replaces ids and path parameters: `/orders/ord_1` and `/orders/{id}` both become `/orders/{}`. */
function shapeOf(path: string): string {
  return path.replace(/\/$/, '').replaceAll(/\{\w*\}|:\w+|(?<=\/)[a-z0-9]+_[a-z0-9]{10,}/g, '{}')
}

export function nearestName(written: string, names: readonly string[]): string | undefined {
  return nearestPath(
    [written],
    names.map((name) => [name]),
  )?.slice(1)
}

const MAX_CALLS = 8

export function missingText(
  { call, others }: { call: string; others: readonly OperationDeclaration[] },
  resources: readonly string[],
): string {
  const near = nearestName(call.replace(/^\w+ /, '').split('/')[1] ?? call, resources)
  const calls = others.slice(0, MAX_CALLS).map(({ method, path }) => `${method} ${path}`)
  const known = calls.length > 0 ? ` There is: ${calls.join(', ')}.` : near ? ` The nearest resource: ${near}.` : ''
  return `No operation is ${JSON.stringify(call)}.${known}`
}
