import type { FindNoun } from '../../contract/documents/schemas.ts'
import { isPlainObject } from '../../contract/values/json.ts'
import { LABELS } from '../../events/message.ts'
import type { NetChange } from './changes.ts'

const SHOWN_NAMES = 12
/** The maximum depth of nested resources. `expand` nests less deeply. */
const MAX_DEPTH = 8

/** Records which fields with text that strangers wrote, such as `review.content`, a program has read. */
export class StrangerTexts {
  readonly #findNoun: FindNoun
  readonly #names = new Set<string>()

  constructor(findNoun: FindNoun) {
    this.#findNoun = findNoun
  }

  /** Records the fields in a response: in a resource or the rows of a page, and in the resources nested inside. */
  note({ data, ...body }: Record<string, unknown>): void {
    for (const name of this.#fieldsIn(Array.isArray(data) ? data : body, 0)) this.#names.add(name)
  }

  /**
   * Returns the names of the fields in the responses that the program has read, unless `read` is false, and in the changes that
   * its result has `shown`. They are in alphabetical order, so that they do not depend on the order of the calls.
   */
  names({ read = true, shown = [] }: { read?: boolean; shown?: readonly NetChange[] } = {}): string[] {
    const names = [...new Set([...(read ? this.#names : []), ...shown.flatMap((one) => this.#changed(one))])].sort()
    if (names.length <= SHOWN_NAMES) return names
    return [...names.slice(0, SHOWN_NAMES), `… (${names.length - SHOWN_NAMES} more)`]
  }

  #changed({ object, label, from, to }: NetChange): string[] {
    return [...this.#fieldsIn({ ...from, ...to, object }, 0), ...(label === null ? [] : this.#labelsOf(object))]
  }

  /** Returns the fields by strangers from which a resource's label may come. A label comes from the first field with a value. */
  #labelsOf(object: string): string[] {
    const fields = Object.entries(this.#findNoun(object)?.fields ?? {}).filter(([name]) => LABELS.includes(name))
    const certain = fields.findIndex(([, { spec }]) => !spec.nullable)
    const possible = fields.slice(0, certain < 0 ? fields.length : certain + 1)
    return possible.filter(([, { spec }]) => spec.byStrangers).map(([name]) => `${object}.${name}`)
  }

  #fieldsIn(value: unknown, depth: number): string[] {
    if (depth > MAX_DEPTH) return []
    if (Array.isArray(value)) return value.flatMap((one) => this.#fieldsIn(one, depth + 1))
    return isPlainObject(value) ? this.#fieldsOf(value, depth) : []
  }

  #fieldsOf(shown: Record<string, unknown>, depth: number): string[] {
    const noun = this.#findNoun(String(shown.object))
    if (!noun) return []
    return Object.entries(noun.fields).flatMap(([name, { spec }]) => [
      ...(spec.byStrangers && shown[name] ? [`${noun.name}.${name}`] : []),
      ...(spec.relation ? this.#fieldsIn(shown[name], depth + 1) : []),
    ])
  }
}
