import { eventType, type Noun } from '../../declarations/noun.ts'
import type { OperationDeclaration } from '../../declarations/operation.ts'
import { deliveredEvents } from '../describe.ts'
import { eventDescription } from '../event-types.ts'
import { shownNouns } from '../resource-docs.ts'
import type { FindNoun } from '../schemas.ts'
import { IN_A_LINE, type TextPart, together } from './answer.ts'
import { missingText, type NameMatch, Names, nearestName } from './names.ts'
import { operationText } from './operation.ts'
import { page } from './question.ts'
import { Recipes, recipePart } from './recipes.ts'
import { fieldPart, outlinePart, resourceText } from './resource.ts'
import { callPart, callWords, signature } from './signature.ts'
import { paragraphsFor, TOPIC_INDEX, topicParts } from './topics.ts'

/** A question that a Ruby program passes to `describe`, with the operations that a search found for it, best first. */
export interface DescribeRequest {
  what: string
  found: readonly number[]
  /** The number of leading operations that each match a part of the question best; 0 if nothing matches. */
  bests: number
}

/** Says how to see what outlines leave out. */
const MORE: TextPart = { key: 'More of fields', text: 'One field: describe("order.amount").' }

const MAX_SUGGESTIONS = 5

const GENERAL_RULES = `More: describe("order", "POST /refunds", "refund part of an order", "recipes"), describe("programs")
L GET /orders, C POST /orders, G GET, U PATCH, D DELETE /orders/{id}; +x POST /orders/{id}/x
All: id, object, created_at, updated_at (if it can change). metadata: text by key; changes merge, null removes. expand="customer,charge": ids become whole rows. Amounts: integers in minor units. Times: UTC; bodies take any offset, filters dates too.
Lists: limit (20, max 100), starting_after (last id); x[]: one or several; metadata{}: metadata: {color: "red"}; ranges: created_at: {gte: "2026-10-01"}, gt, lte, lt; amount: 1..5
Any call: parameter_missing, permission_denied, resource_missing, validation_failed. Event data: what GET answers for the resource.`

/** Generates the text that `describe` returns to Ruby programs from the declarations. */
export class Descriptions {
  readonly #operations: readonly OperationDeclaration[]
  readonly #findNoun: FindNoun
  readonly #nouns: readonly Noun[]
  readonly #names: Names
  readonly #recipes = new Recipes()

  constructor(operations: readonly OperationDeclaration[], findNoun: FindNoun) {
    this.#operations = operations
    this.#findNoun = findNoun
    this.#nouns = shownNouns(operations, findNoun)
    this.#names = new Names(this.#nouns, operations)
  }

  /** Returns the answers, or the map of all resources if nothing is asked. Omits the parts in `said`, which were given before. */
  describe(asked: readonly DescribeRequest[], said = new Set<string>()): string {
    if (asked.length === 0) return together(mapParts(this.#nouns, this.#operations), said)
    const all = asked.map((one) => {
      const topic = [...topicParts(one.what, this.#nouns), ...this.#recipes.named(one.what, this.#operations)]
      return { one, topic, name: topic.length > 0 ? undefined : this.#names.find(one.what) }
    })
    const named = new Set(all.flatMap(({ name }) => (name?.kind === 'operations' ? name.operations : [])))
    const isShort = all.length > 1 || said.size > 0
    const pages = Math.max(isShort ? 2 : 1, all.filter(({ name, topic }) => !name && topic.length === 0).length)
    const parts = all.flatMap(({ one, name, topic }) => {
      if (name?.kind === 'resource') return this.#resourceParts(name.noun, named, isShort && !said.has(name.noun.name))
      if (name?.kind === 'operations' && isShort) return [...name.operations.map(callPart), MORE]
      if (name) return this.#named(name)
      return topic.length > 0 ? topic : this.#answer(one, pages)
    })
    return together(parts, said)
  }

  #named(named: Exclude<NameMatch, { kind: 'resource' }>): TextPart[] {
    if (named.kind === 'missing') return [{ key: named.call, text: missingText(named, this.#names.resources) }]
    if (named.kind === 'field') return [fieldPart(named.noun, named.name, named.field)]
    if (named.kind === 'event') return [this.#event(named.noun, named.event)]
    return named.operations.map((one) => this.#operation(one))
  }

  /** Describes a resource and its operations, except those in `named`, which the program asks for separately. */
  #resourceParts(noun: Noun, named: ReadonlySet<OperationDeclaration>, isShort: boolean): TextPart[] {
    const own = this.#operations.filter((one) => one.noun === noun && !named.has(one))
    if (isShort) return [outlinePart(noun), ...own.map(linePart), MORE]
    return [this.#resource(noun), ...own.map((one) => ({ key: `Line ${one.id}`, text: signature(one) }))]
  }

  #answer({ what, found, bests }: DescribeRequest, pages: number): TextPart[] {
    const operations = found.map((position) => this.#operations[position]).filter((one) => one !== undefined)
    const paragraphs = paragraphsFor(what)
    const recipes = this.#recipes.find(what, operations.slice(0, bests))
    const [recipe] = recipes
    const calls = recipe ? this.#recipes.writesOf(recipe, this.#operations) : []
    const shown = new Set([...calls, ...operations.slice(0, bests)])
    if (shown.size > 0)
      return page([...shown.union(new Set(operations))], {
        bests: shown.size,
        operations: this.#operations,
        findNoun: this.#findNoun,
        operation: (operation) => this.#operation(operation),
        paragraphs,
        recipes: recipes.map(recipePart),
        pages,
      })
    const texts = [...recipes.slice(0, 1).map(recipePart), ...paragraphs]
    return texts.length > 0 ? texts : [{ key: what, text: this.#nothing(what, operations) }]
  }

  #nothing(words: string, found: readonly OperationDeclaration[]): string {
    const near = nearestName(words, this.#names.resources)
    const calls = found.slice(0, MAX_SUGGESTIONS).map(({ method, path }) => `${method} ${path}`)
    const names = [...(near === undefined ? [] : [near]), ...calls]
    const nearby = names.length > 0 ? ` The nearest: ${names.join(', ')}.` : ''
    return `Nothing fits ${JSON.stringify(words)}.${nearby} describe() is about the API; rows of the shop come from list("/products").`
  }

  #resource(noun: Noun): TextPart {
    return { key: noun.name, text: resourceText(noun, this.#operations, this.#findNoun), needsKey: true }
  }

  #operation(operation: OperationDeclaration): TextPart {
    const { method, path } = operation
    const text = [operationText(operation, this.#findNoun), this.#recipes.line(operation)].filter(Boolean)
    return { key: `${method} ${path}`, text: text.join('\n'), needsKey: true }
  }

  #event(noun: Noun, event: string): TextPart {
    return { key: eventType(noun, event), text: eventText(noun, event, this.#operations) }
  }
}

/** Describes an operation in one line, to be listed below the outline of its resource. */
function linePart(operation: OperationDeclaration): TextPart {
  return {
    key: `${operation.method} ${operation.path}${IN_A_LINE}`,
    text: callWords(operation, { beneathFields: true }),
  }
}

function mapParts(nouns: readonly Noun[], operations: readonly OperationDeclaration[]): TextPart[] {
  return [
    { key: 'the rules of all resources', text: GENERAL_RULES },
    TOPIC_INDEX,
    { key: 'the map', text: mapLines(nouns, operations).join('\n') },
  ]
}

function mapLines(nouns: readonly Noun[], operations: readonly OperationDeclaration[]): string[] {
  return nouns.map((noun) => {
    const own = operations.filter((operation) => operation.noun === noun)
    const verbs = verbsOf(noun, own)
    return [noun.name, verbs, gistOf(noun)].filter(Boolean).join(' ')
  })
}

const LETTERS: Record<string, string> = { list: 'L', create: 'C', retrieve: 'G', update: 'U', delete: 'D' }

/** Returns a noun's operations as `LCGUD +archive +restore`: letters for the usual ones, `+` for actions, otherwise paths. */
function verbsOf(noun: Noun, own: readonly OperationDeclaration[]): string {
  const letters = own.filter((operation) => isUsual(noun, operation)).map(({ kind }) => LETTERS[kind] ?? 'C')
  const others = own.filter((operation) => !isUsual(noun, operation))
  const byPath = Map.groupBy(others, ({ path }) => path)
  const named = [...byPath].map(([path, operations]) =>
    actionOf(
      noun,
      path,
      operations.map(({ method }) => method),
    ),
  )
  return [letters.join(''), ...named].filter(Boolean).join(' ')
}

function isUsual({ plural }: Noun, { method, kind, path }: OperationDeclaration): boolean {
  if (kind === 'custom') return method === 'POST' && path === `/${plural}`
  return kind in LETTERS && (path === `/${plural}` || new RegExp(`^/${plural}/\\{\\w+\\}$`).test(path))
}

function actionOf({ plural }: Noun, path: string, methods: string[]): string {
  const action = new RegExp(`^/${plural}/\\{\\w+\\}/(\\w+)$`).exec(path)?.[1]
  return action && methods.join() === 'POST' ? `+${action}` : `${methods.join()} ${path}`
}

function gistOf({ description, gist }: Noun): string {
  if (gist !== null) return gist
  const [first = ''] = description.split(/[.,:;(]/)
  return first.replace(/^(?:An?|The|One) /, '')
}

function eventText(noun: Noun, event: string, operations: readonly OperationDeclaration[]): string {
  const type = eventType(noun, event)
  const emitting = operations.filter((operation) => deliveredEvents(operation).includes(type))
  const by = emitting.map(({ method, path }) => `${method} ${path}`)
  return [
    `## ${type}: ${eventDescription(noun, event)}`,
    `data: ${dataOf(noun, event)}`,
    `Emitted by ${[...by, 'what happens later or outside'].join(', ')}`,
  ].join('\n')
}

function dataOf(noun: Noun, event: string): string {
  if (event.endsWith('deleted')) return '{id, object, deleted: true}'
  const expanded =
    noun.eventExpand.length > 0 ? `; ${noun.eventExpand.join(', ')} expanded for webhooks, not for tasks` : ''
  const without = noun.notInEvents.length > 0 ? `, without ${noun.notInEvents.join(', ')}` : ''
  return `what GET answers for the ${noun.name}${expanded}${without}`
}
