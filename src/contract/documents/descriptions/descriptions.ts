import { eventType, type Noun } from '../../declarations/noun.ts'
import type { OperationDeclaration } from '../../declarations/operation.ts'
import { nearest } from '../../values/nearest.ts'
import { shownNouns } from '../resource-docs.ts'
import type { FindNoun } from '../schemas.ts'
import { type TextPart, together } from './answer.ts'
import { eventText } from './event.ts'
import { mapText } from './map.ts'
import { missingText, type NameMatch, Names } from './names.ts'
import { operationText } from './operation.ts'
import { page } from './question.ts'
import { resourceText } from './resource.ts'
import { callWords, signature } from './signature.ts'
import { paragraphsFor, topicParts } from './topics.ts'

/** A question that a Ruby program passes to `describe`, with the operations that a search found for it, best first. */
export interface DescribeRequest {
  what: string
  found: readonly number[]
  /** The number of leading operations that each match a part of the question best; 0 if nothing matches. */
  bests: number
}

/** Larger texts about several resources only name their operations. */
const MAX_BYTES_OF_SEVERAL = 6000
const MORE: TextPart = { key: 'more', text: 'What an operation does, refuses and emits: describe("POST /refunds").' }

interface DescribeOptions {
  /** Operations that another question of the same call names. */
  alone: Set<OperationDeclaration>
  /** Resources that another question of the same call names. */
  described: Set<Noun>
  brief: boolean
}

const MAX_SUGGESTIONS = 3
/** The number of leading characters of a question that are compared with the names of resources. */
const MAX_NAME_LENGTH = 60

/** Generates the text that `describe` returns to Ruby programs from the declarations. */
export class Descriptions {
  readonly #operations: readonly OperationDeclaration[]
  readonly #findNoun: FindNoun
  readonly #nouns: readonly Noun[]
  readonly #names: Names

  constructor(operations: readonly OperationDeclaration[], findNoun: FindNoun) {
    this.#operations = operations
    this.#findNoun = findNoun
    this.#nouns = shownNouns(operations, findNoun)
    this.#names = new Names(this.#nouns, operations)
  }

  /** Returns the map of all resources if there are no questions, otherwise the answers. `again` omits the legend of types. */
  describe(asked: readonly DescribeRequest[], { again = false } = {}): string {
    if (asked.length === 0) return mapText(this.#nouns, this.#operations)
    const all = asked.map((one) => ({
      one,
      name: this.#names.find(one.what),
      topic: topicParts(one.what, this.#nouns),
    }))
    const alone = new Set(all.flatMap(({ name }) => (name?.kind === 'operations' ? name.operations : [])))
    const described = new Set(all.flatMap(({ name }) => (name?.kind === 'resource' ? [name.noun] : [])))
    const pages = all.filter(({ name, topic }) => !name && topic.length === 0).length
    const answers = (brief: boolean) =>
      all.flatMap(({ one, name, topic }) => {
        if (name) return this.#named(name, { alone, described, brief })
        return topic.length > 0 ? topic : this.#answer(one, pages)
      })
    const whole = together(answers(false), { again })
    if (described.size < 2 || Buffer.byteLength(whole) <= MAX_BYTES_OF_SEVERAL) return whole
    return together([...answers(true), MORE], { again })
  }

  #named(named: NameMatch, { alone, described, brief }: DescribeOptions): TextPart[] {
    if (named.kind === 'missing') return [{ key: named.call, text: missingText(named, this.#names.resources) }]
    if (named.kind === 'event') return [this.#event(named.noun, named.event)]
    if (named.kind === 'operations')
      return named.operations.map((one) => this.#operation(one, { withoutFields: described.has(one.noun) }))
    const own = this.#operations.filter((one) => one.noun === named.noun && !alone.has(one))
    const signatures = own.map((one) => (brief ? callWords(one, { beneathFields: true }) : signature(one))).join('\n')
    const resource = this.#resource(named.noun)
    return signatures === '' ? [resource] : [resource, { key: `operations of ${named.noun.name}`, text: signatures }]
  }

  #answer({ what, found, bests }: DescribeRequest, pages: number): TextPart[] {
    const operations = found.map((position) => this.#operations[position]).filter((one) => one !== undefined)
    const paragraphs = paragraphsFor(what)
    if (bests > 0 && operations.length > 0)
      return page(operations, {
        bests,
        operations: this.#operations,
        findNoun: this.#findNoun,
        resource: (noun) => this.#resource(noun),
        operation: (operation, options) => this.#operation(operation, options),
        paragraphs,
        pages,
      })
    return paragraphs.length > 0 ? paragraphs : [{ key: what, text: this.#nothing(what, operations) }]
  }

  #nothing(words: string, found: readonly OperationDeclaration[]): string {
    const near = nearest(words.slice(0, MAX_NAME_LENGTH), this.#names.resources)
    const names = [...new Set([...(near === null ? [] : [near]), ...found.map(({ noun }) => noun.name)])]
    const nearby = names.length > 0 ? ` The nearest resources: ${names.slice(0, MAX_SUGGESTIONS).join(', ')}.` : ''
    return `Nothing fits ${JSON.stringify(words)}.${nearby} describe() is about the API: everything there is. The shop’s own rows come from list("/products").`
  }

  #resource(noun: Noun): TextPart {
    return { key: noun.name, text: resourceText(noun, this.#operations, this.#findNoun), needsKey: true }
  }

  #operation(operation: OperationDeclaration, options?: { withoutFields?: boolean }): TextPart {
    const { method, path } = operation
    return { key: `${method} ${path}`, text: operationText(operation, this.#findNoun, options), needsKey: true }
  }

  #event(noun: Noun, event: string): TextPart {
    return { key: eventType(noun, event), text: eventText(noun, event, this.#operations) }
  }
}
