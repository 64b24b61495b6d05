import type { FindNoun } from '../../contract/documents/schemas.ts'
import { isPlainObject } from '../../contract/values/json.ts'

const SHOWN_NAMES = 12
/** `expand` nests less deeply. */
const MAX_DEPTH = 8

/** Notes which fields with texts by strangers a program has read, such as `review.content`. */
export class StrangerTexts {
  readonly #findNoun: FindNoun
  readonly #names = new Set<string>()

  constructor(findNoun: FindNoun) {
    this.#findNoun = findNoun
  }

  /** Notes the fields of a response: of a resource, of the rows of a page, and of the resources inside them. */
  note({ data, ...body }: Record<string, unknown>): void {
    this.#note(Array.isArray(data) ? data : body, 0)
  }

  /** Returns the names in alphabetical order, so that they do not depend on the order of the calls. */
  names(): string[] {
    const names = [...this.#names].sort()
    if (names.length <= SHOWN_NAMES) return names
    return [...names.slice(0, SHOWN_NAMES), `… (${names.length - SHOWN_NAMES} more)`]
  }

  #note(value: unknown, depth: number): void {
    if (depth > MAX_DEPTH) return
    if (Array.isArray(value)) for (const one of value) this.#note(one, depth + 1)
    else if (isPlainObject(value)) this.#noteResource(value, depth)
  }

  #noteResource(shown: Record<string, unknown>, depth: number): void {
    const noun = this.#findNoun(String(shown.object))
    if (!noun) return
    for (const [name, { spec }] of Object.entries(noun.fields)) {
      if (spec.byStrangers && shown[name]) this.#names.add(`${noun.name}.${name}`)
      if (spec.relation) this.#note(shown[name], depth + 1)
    }
  }
}
