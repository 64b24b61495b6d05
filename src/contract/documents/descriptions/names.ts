import { eventType, type Noun } from '../../declarations/noun.ts'
import type { OperationDeclaration } from '../../declarations/operation.ts'

/** What somebody may ask for by its name. */
export type Named =
  | { kind: 'resource'; noun: Noun }
  | { kind: 'operations'; operations: readonly OperationDeclaration[] }
  | { kind: 'event'; noun: Noun; event: string }

const CALL = /^(?:(GET|POST|PATCH|DELETE)\s+)?(?:https?:\/\/[^/]+)?(?:\/?v1(?=\/))?(\/[^\s?]*)/i

/** Finds what a text names: `order`, `Order items`, `/orders`, `POST /refunds`, `create_refund`, `order.paid`. */
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

  /** The names of all resources. */
  get resources(): readonly string[] {
    return [...new Set([...this.#nouns.values()].map(({ name }) => name))]
  }

  find(text: string): Named | undefined {
    const noun = this.#nouns.get(text.toLowerCase().replaceAll(/[\s-]+/g, '_'))
    if (noun) return { kind: 'resource', noun }
    const event = this.#events.get(text)
    if (event) return { kind: 'event', ...event }
    const operations = this.#called(text)
    if (operations.length === 0) return undefined
    return { kind: 'operations', operations }
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

/** A path whose names in braces, and ids, do not matter: `/orders/ord_1` is `/orders/{}`. */
function shapeOf(path: string): string {
  return path.replace(/\/$/, '').replaceAll(/\{\w*\}|:\w+|(?<=\/)[a-z0-9]+_[a-z0-9]{10,}/g, '{}')
}
