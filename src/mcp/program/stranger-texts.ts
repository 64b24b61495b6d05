import type { Noun } from '../../contract/declarations/noun.ts'
import type { FindNoun } from '../../contract/documents/schemas.ts'

/** The fields of a noun that strangers write, and the fields that may hold other resources. */
interface Watched {
  texts: string[]
  holders: string[]
}

const SHOWN_NAMES = 12
/** `expand` nests less deeply. */
const MAX_DEPTH = 8

const WATCHED = new WeakMap<Noun, Watched>()

/** Notes which fields with texts by strangers a program has read, such as `review.content`. */
export class StrangerTexts {
  readonly #findNoun: FindNoun
  readonly #names = new Set<string>()

  constructor(findNoun: FindNoun) {
    this.#findNoun = findNoun
  }

  /** Notes the fields of a response: of a resource, of the rows of a page, and of the resources inside them. */
  note(body: Record<string, unknown>): void {
    this.#note(Array.isArray(body.data) ? body.data : body, 0)
  }

  /** Returns the names in alphabetical order, so that they do not depend on the order of the calls. */
  names(): string[] {
    const names = [...this.#names].sort()
    if (names.length <= SHOWN_NAMES) return names
    return [...names.slice(0, SHOWN_NAMES), `… (${names.length - SHOWN_NAMES} more)`]
  }

  #note(value: unknown, depth: number): void {
    if (depth > MAX_DEPTH || typeof value !== 'object' || value === null) return
    if (Array.isArray(value)) for (const one of value) this.#note(one, depth + 1)
    else this.#noteResource(value as Record<string, unknown>, depth)
  }

  #noteResource(shown: Record<string, unknown>, depth: number): void {
    const noun = typeof shown.object === 'string' ? this.#findNoun(shown.object) : undefined
    if (!noun) return
    const { texts, holders } = watchedOf(noun)
    for (const name of texts) if (isWritten(shown[name])) this.#names.add(`${noun.name}.${name}`)
    for (const name of holders) this.#note(shown[name], depth + 1)
  }
}

function watchedOf(noun: Noun): Watched {
  const known = WATCHED.get(noun)
  if (known) return known
  const fields = Object.entries(noun.fields)
  const texts = fields.filter(([, { spec }]) => spec.byStrangers).map(([name]) => name)
  const holders = fields.filter(([, { spec }]) => spec.relation).map(([name]) => name)
  WATCHED.set(noun, { texts, holders })
  return { texts, holders }
}

function isWritten(value: unknown): boolean {
  return value !== undefined && value !== null && value !== ''
}
