import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PRODUCT } from '../../src/assembly.ts'
import type { Noun } from '../../src/contract/declarations/noun.ts'
import { shapeOf } from '../../src/pipeline/shape.ts'

const { shop } = PRODUCT

type Values = Record<string, unknown>

describe.each(shop.map(({ noun }) => [noun.name, noun] as const))('The shape of %s', (_, noun) => {
  const shape = shapeOf(noun)
  const names = [...Object.keys(noun.fields), ...Object.keys(noun.hidden), 'account_id']

  it('is the answer that a plain reading of the declaration gives, whatever the row has', () => {
    fc.assert(
      fc.property(someOf(names, noun), someOf(names, noun), (row, derived) => {
        expect(JSON.stringify(shape(row, derived))).toBe(JSON.stringify(plainly(noun, row, derived)))
      }),
    )
  })

  it('shows no field that is only taken, and nothing of hidden columns', () => {
    const row = Object.fromEntries(names.map((name) => [name, 'secret']))
    const shown = Object.entries(noun.fields).filter(([, { spec }]) => spec.use !== 'input')
    expect(Object.keys(shape(row, {}))).toEqual(shown.map(([name]) => name))
  })
})

/** Some of these properties, with any values; a status is a text, and often one that the noun declares. */
function someOf(names: string[], { states }: Noun): fc.Arbitrary<Values> {
  const anything = fc.anything({ withBigInt: false })
  const status = fc.constantFrom(...Object.keys(states ?? {}), 'unknown')
  const value = (name: string) => (name === 'status' ? status : anything)
  return fc
    .record(Object.fromEntries(names.map((name) => [name, value(name)])), { requiredKeys: [] })
    .map(withoutUndefined)
}

/** Neither the database nor a derivation has a value that is undefined. */
function withoutUndefined(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}

function plainly(noun: Noun, row: Values, derived: Values): Values {
  const full = { ...row, ...derived }
  const shown: Values = {}
  for (const [name, { spec }] of Object.entries(noun.fields)) {
    if (spec.use === 'input' || spec.relation?.kind === 'collection') continue
    if (name === 'object') shown.object = noun.name
    else if (name === 'allowed_actions')
      shown.allowed_actions = derived.allowed_actions ?? noun.states?.[String(full.status)] ?? []
    else shown[name] = full[name] ?? null
  }
  return shown
}
