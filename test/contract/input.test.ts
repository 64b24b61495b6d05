import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ApiError } from '../../src/contract/declarations/errors.ts'
import { flag, integer, longText, money, oneOf, structure, text, texts } from '../../src/contract/declarations/kinds.ts'
import { parseBody } from '../../src/contract/requests/input.ts'

const Parts = z.object({
  line: z.object({ size: z.int() }).optional(),
  lines: z.array(z.object({ price: z.string() })).optional(),
})

const fields = {
  name: text('Name', { max: 10 }).required(),
  kind: oneOf(['small', 'large'], 'Kind', { aliases: { big: 'large' } }).required(),
  size: integer('Size', { min: 1, max: 9 }).nullable(),
  note: longText('Note', 5).nullable(),
  on: flag('On').default(true),
  owner: text('Owner').writtenAs('owner_id'),
  words: texts('Words', { max: 2, each: 3 }).default([]),
  parts: structure('object', Parts, 'Parts', {}).nullable(),
}

const parse = (body: unknown, mode: 'create' | 'update' = 'create') =>
  parseBody(body, { fields, mode, wrapper: 'thing' })
const values = (body: unknown, mode?: 'create' | 'update') => parse(body, mode).values
const refusal = (body: unknown, mode?: 'create' | 'update') => {
  try {
    parse(body, mode)
  } catch (error) {
    if (error instanceof ApiError) return [error.code, error.details.param ?? error.details.errors]
  }
  throw new Error('It was not refused')
}
const errorOf = (body: unknown) => {
  try {
    return parse(body)
  } catch (error) {
    return error
  }
}
const complete = { name: 'A', kind: 'small' }

describe('A body', () => {
  it('is filled in with defaults when it creates, and not when it changes', () => {
    expect(values(complete)).toEqual({ ...complete, on: true, words: [] })
    expect(values({}, 'update')).toEqual({})
    expect(values({ on: false, size: null }, 'update')).toEqual({ on: false, size: null })
  })

  it('misses its first absent field only when nothing present is wrong', () => {
    expect(refusal({})).toEqual(['parameter_missing', 'name'])
    expect(refusal({ name: 'A', kind: null })).toEqual(['parameter_missing', 'kind'])
    expect(refusal({ size: 10 })).toEqual([
      'validation_failed',
      { size: ['must be at most 9'], name: ["can't be blank"], kind: ["can't be blank"] },
    ])
    expect(refusal({ name: '  ' })).toEqual([
      'validation_failed',
      { name: ["can't be blank"], kind: ["can't be blank"] },
    ])
  })

  it('tells all that is missing, and what it has instead', () => {
    expect(errorOf({})).toMatchObject({ message: 'The required parameters name and kind are missing.' })
    expect(errorOf({ name: 'A' })).toMatchObject({ message: 'The required parameter kind is missing.' })
    expect(errorOf({ name: 'A', owner: 'x', sort: 'small' })).toMatchObject({
      message:
        'The required parameter kind is missing. Unknown here: sort. The body takes name, kind, size, note, on, owner_id, words, parts.',
      details: { param: 'kind' },
    })
    const many = Object.fromEntries(Array.from({ length: 9_000 }, (_, index) => ['x'.repeat(100) + index, 1]))
    expect(String((errorOf(many) as ApiError).message).length).toBeLessThan(500)
  })

  it('reminds of minor units where an amount is none', () => {
    const amount = { amount: money('Amount').required() }
    const said = (value: unknown) => {
      try {
        return parseBody({ amount: value }, { fields: amount, mode: 'create', wrapper: 'thing' })
      } catch (error) {
        return (error as ApiError).details.errors
      }
    }
    const reminder = '; amounts are in minor units: 1250 is 12.50 usd'
    expect(said(12.5)).toEqual({ amount: [`must be an integer${reminder}`] })
    expect(said('$12')).toEqual({ amount: [`must be an integer, not a string ("$12")${reminder}`] })
  })

  it('tells wrong JSON types together, with all else that is wrong', () => {
    const [kind, on] = ['must be a string, not an integer (5)', 'must be a boolean, not a string ("yes")']
    expect(errorOf({ ...complete, on: 'yes', kind: 5 })).toMatchObject({
      code: 'parameter_invalid',
      message: `kind ${kind}`,
      details: { param: 'kind', errors: { kind: [kind], on: [on] } },
    })
    expect(errorOf({ ...complete, kind: 5, size: 10 })).toMatchObject({
      code: 'validation_failed',
      details: { errors: { kind: [kind], size: ['must be at most 9'] } },
    })
    expect(refusal({ kind: 5 })).toEqual(['validation_failed', { kind: [kind], name: ["can't be blank"] }])
    expect(refusal({ ...complete, words: [5, null] })).toEqual([
      'validation_failed',
      {
        'words.0': ['must be a string, not an integer (5)'],
        'words.1': ['must be a string, not null (null)'],
      },
    ])
  })

  it('clears what may be null and refuses to clear the rest', () => {
    expect(values({ ...complete, note: null, on: null })).toEqual({ ...complete, on: true, words: [] })
    expect(refusal({ name: null, on: null }, 'update')).toEqual([
      'validation_failed',
      { name: ["can't be blank"], on: ["can't be blank"] },
    ])
  })

  it('takes a field under either of its names, the documented one first', () => {
    expect(values({ ...complete, owner_id: 'x', owner: 'y' })).toMatchObject({ owner: 'x' })
    expect(values({ ...complete, owner: 'y' })).toMatchObject({ owner: 'y' })
    expect(refusal({ ...complete, owner: 5 })).toEqual(['parameter_invalid', 'owner_id'])
  })

  it('takes older words for those of a closed list', () => {
    expect(values({ ...complete, kind: 'big' })).toMatchObject({ kind: 'large' })
    expect(refusal({ ...complete, kind: 'smal' })).toEqual([
      'validation_failed',
      { kind: ['must be one of small, large (did you mean "small"?)'] },
    ])
    expect(refusal({ ...complete, kind: 'toString' })[0]).toBe('validation_failed')
  })

  it('names places in arrays with dots', () => {
    expect(refusal({ ...complete, words: ['ok', ' '] })).toEqual([
      'validation_failed',
      { 'words.1': ["can't be blank"] },
    ])
    expect(refusal({ ...complete, words: ['long', 'ok'] })).toEqual([
      'validation_failed',
      { 'words.0': ['is too long (maximum is 3 characters)'] },
    ])
    expect(refusal({ ...complete, words: ['a', 'b', 'c'] })).toEqual([
      'validation_failed',
      { words: ['has too many entries (maximum is 2)'] },
    ])
  })

  it('is unwrapped once, when the wrapper is all there is', () => {
    expect(values({ thing: complete })).toMatchObject(complete)
    expect(refusal({ thing: { thing: complete } })).toEqual(['parameter_missing', 'name'])
    expect(values({ thing: complete, name: 'B', kind: 'large' })).toMatchObject({ name: 'B' })
    expect(refusal({ thing: 'text' })).toEqual(['parameter_missing', 'name'])
  })

  it('tells which names it ignored', () => {
    expect(parse({ ...complete, colour: 'red', id: 'x', owner: 'y' }).ignored).toEqual(['colour', 'id'])
    const lines = [{ price: 'p1', qty: 2 }, { price: 'p2' }]
    const parts = { line: { size: 1, colour: 'red' }, lines }
    expect(parse({ ...complete, id: 'x', parts }).ignored).toEqual(['id', 'parts.line.colour', 'parts.lines.0.qty'])
  })

  it('is refused or taken, whatever it is, and never changed', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom('create', 'update'), (body, mode) => {
        const before = JSON.stringify(body)
        try {
          for (const name of Object.keys(values(body, mode as 'create'))) expect(fields).toHaveProperty(name)
        } catch (error) {
          expect(error).toBeInstanceOf(ApiError)
        }
        expect(JSON.stringify(body)).toBe(before)
      }),
    )
  })
})
