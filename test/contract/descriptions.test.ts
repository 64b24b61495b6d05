import { describe, expect, it } from 'vitest'
import { PRODUCT } from '../../src/assembly.ts'
import type { Parameter } from '../../src/contract/declarations/parameter.ts'
import { valueSchema } from '../../src/contract/documents/schemas.ts'
import { Presenter } from '../../src/pipeline/present.ts'

const { shop } = PRODUCT

const operations = shop.flatMap((resource) => resource.operations)
const nouns = [...new Set([...new Presenter(shop).nouns(), ...operations.map(({ noun }) => noun)])]

/** Every declared field with the place where it is declared. */
const fields: [where: string, field: Parameter][] = nouns.flatMap((noun) =>
  Object.entries(noun.fields).map(([name, field]): [string, Parameter] => [`${noun.name}.${name}`, field]),
)
/** Every parameter of a query and every field of a body that is not a noun's. */
const parameters: [where: string, field: Parameter][] = operations.flatMap((operation) =>
  [
    ...Object.entries(operation.query),
    ...(operation.kind === 'action' ? Object.entries(operation.body ?? {}) : []),
  ].map(([name, field]): [string, Parameter] => [`${operation.id} ${name}`, field]),
)
const described = [...fields, ...parameters]

/** The habits to drop: riddles of one clause, and words that send a reader back to the start of the sentence. */
const RIDDLE = /^(What|Where|Who|Which|How)\b/
const HABITS = /\b(stands?|beside|told|of which|comes to|whatever (its|the) case)\b/i

/** The places that a property does not hold of, for one message that names them all. */
const failing = <Item>(items: [where: string, item: Item][], holds: (item: Item) => boolean) =>
  items.filter(([, item]) => !holds(item)).map(([where]) => where)

describe('Every field and parameter', () => {
  it('is described in one phrase without a full stop at its end', () => {
    expect(described.length).toBeGreaterThan(150)
    expect(failing(described, ({ spec }) => /^\S.{3,}[^.\s]$/.test(spec.description))).toEqual([])
  })

  it('is described in plain words', () => {
    expect(failing(described, ({ spec }) => !RIDDLE.test(spec.description) && !HABITS.test(spec.description))).toEqual(
      [],
    )
  })

  it('says what null means where it may be null, and only there', () => {
    expect(failing(fields, ({ spec }) => spec.nullable === (spec.nullMeans !== undefined))).toEqual([])
  })

  it('says of a number what it counts', () => {
    const numbers = fields.filter(([, { spec }]) => spec.type === 'integer' || spec.type === 'number')
    expect(numbers.length).toBeGreaterThan(20)
    expect(
      failing(numbers, ({ spec }) => spec.unit !== undefined || /^(Number of|Place among)/.test(spec.description)),
    ).toEqual([])
  })

  it('has the unit that its name says', () => {
    const named = fields.filter(([where]) => /_(days|months|hours|minutes|seconds|bytes|credits)$/.test(where))
    expect(named.length).toBeGreaterThan(2)
    expect(named.filter(([where, { spec }]) => !where.endsWith(`_${spec.unit}`))).toEqual([])
  })

  it('is in minor units of a currency that can be seen, where it is an amount', () => {
    for (const noun of nouns) {
      const amounts = Object.entries(noun.fields).filter(
        ([name, { spec }]) => spec.type === 'integer' && /amount|spend|total$|_off$/.test(name),
      )
      for (const [name, { spec }] of amounts) {
        const where = `${noun.name}.${name}`
        expect([where, spec.unit]).toEqual([where, 'minor units'])
        expect([where, 'currency' in noun.fields || /currency/.test(spec.description)]).toEqual([where, true])
      }
    }
  })

  it('explains all values of a closed list, or all but the last, when it explains more than one', () => {
    const halfExplained = fields.filter(([, { spec }]) => {
      const values = (spec.json?.enum ?? []) as string[]
      const explained = values.filter((value) => spec.description.includes(`${value}: `)).length
      return explained > 1 && explained < values.length - 1
    })
    expect(halfExplained.map(([where]) => where)).toEqual([])
  })
})

/** Names of the members that a JSON Schema gives to objects, however deep. */
function namesWithin(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { properties } = schema as { properties?: object }
  return [...Object.keys(properties ?? {}), ...Object.values(schema).flatMap(namesWithin)]
}

describe('Every operation', () => {
  const texts = operations.map(({ id, description }): [string, string] => [id, description])

  it('has a summary that begins with its verb and ends without a full stop', () => {
    expect(
      failing(
        operations.map((one) => [one.id, one.summary]),
        (summary) => /^[A-Z][a-z]+,? \S.*[^.]$/.test(summary),
      ),
    ).toEqual([])
  })

  it('is described in whole sentences of plain words', () => {
    expect(failing(texts, (text) => text === '' || /^\S.*\.$/.test(text))).toEqual([])
    expect(failing(texts, (text) => !RIDDLE.test(text) && !HABITS.test(text))).toEqual([])
  })

  it('says what follows where it deletes, acts, or emits events of more than the resource it answers', () => {
    const consequential = operations.filter(
      ({ kind, noun, emits }) =>
        kind === 'delete' || kind === 'action' || emits.some((type) => !type.startsWith(`${noun.name}.`)),
    )
    expect(consequential.length).toBeGreaterThan(8)
    expect(
      failing(
        consequential.map((one) => [one.id, one.description]),
        (text) => text.length > 20,
      ),
    ).toEqual([])
  })

  it('does not repeat the fields of what it answers', () => {
    for (const { id, noun, description } of operations) {
      const named = Object.keys(noun.fields).filter((name) => new RegExp(`\\b${name}\\b`).test(description))
      expect([id, named.length < Object.keys(noun.fields).length / 2]).toEqual([id, true])
    }
  })

  it('names only fields, operations and values that there are', () => {
    const known = new Set([
      ...nouns.flatMap((noun) => [
        noun.name,
        noun.plural,
        ...Object.keys(noun.fields),
        ...noun.events.map((one) => one),
      ]),
      ...operations.flatMap(({ body, query }) => [...Object.keys(body ?? {}), ...Object.keys(query)]),
      ...fields.flatMap(([, { spec }]) => (spec.json?.enum as string[] | undefined) ?? []),
      ...fields.flatMap(([, { spec }]) => spec.input ?? []),
      ...fields.flatMap(([, { spec }]) => namesWithin([valueSchema({ spec }), spec.writtenJson])),
      'resource_in_use',
      'invalid_state',
    ])
    const words = [
      ...described.map(([where, { spec }]): [string, string] => [where, spec.description]),
      ...texts,
    ].flatMap(([where, text]) =>
      [...text.matchAll(/\b[a-z0-9]+(_[a-z0-9]+)+\b/g)].map(([word]): [string, string] => [where, word]),
    )
    expect(words.length).toBeGreaterThan(30)
    expect(words.filter(([, word]) => !known.has(word))).toEqual([])
  })

  it('names only paths that an operation has', () => {
    const named = [...fields.map(([where, { spec }]): [string, string] => [where, spec.description]), ...texts].flatMap(
      ([where, text]) =>
        [...text.matchAll(/\b(GET|POST|PATCH|DELETE) (\/[\w/{}]+)/g)].map(([call]): [string, string] => [where, call]),
    )
    expect(named.length).toBeGreaterThan(1)
    expect(named.filter(([, call]) => !operations.some(({ method, path }) => call === `${method} ${path}`))).toEqual([])
  })
})
