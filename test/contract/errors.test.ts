import { describe, expect, it } from 'vitest'
import { ApiError, invalid } from '../../src/contract/declarations/errors.ts'

const DOCS = 'https://shop.example/docs/errors'
const MOST_BYTES = 16_384

describe('The answer of an error', () => {
  const bytes = (error: ApiError) => Buffer.byteLength(JSON.stringify(error.body(DOCS)))

  it.each(['x', '漢', '\u0001', '"'])('stays within 16 KB, whatever repeats %j', (character) => {
    const long = character.repeat(50_000)
    const fields = Array.from({ length: 500 }, (_, index) => [`${index}${long}`, Array(500).fill(long)] as const)
    expect(bytes(invalid(Object.fromEntries(fields)))).toBeLessThanOrEqual(MOST_BYTES)
    const one = new ApiError('validation_failed', long, { param: long, errors: { [long]: Array(500).fill(long) } })
    expect(bytes(one)).toBeLessThanOrEqual(MOST_BYTES)
  })

  it('says how many fields it leaves out', () => {
    const errors = Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`field ${index}`, ['is invalid']]))
    const { error } = invalid(errors).body(DOCS)
    expect(Object.keys(error.errors as object)).toHaveLength(20)
    expect(error.message).toBe('Field 0 is invalid (20 of 25 invalid fields are shown.)')
  })
})
