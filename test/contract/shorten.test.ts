import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { shorten } from '../../src/contract/values/shorten.ts'
import type { Json } from '../../src/sandbox/api.ts'

const sizeOf = (value: Json) => Buffer.byteLength(JSON.stringify(value))
const json = fc.jsonValue({ maxDepth: 6, stringUnit: 'binary' }) as fc.Arbitrary<Json>
const large = fc.oneof(
  json,
  fc.array(json, { minLength: 20, maxLength: 80 }),
  fc.dictionary(fc.string(), json, { minKeys: 20, maxKeys: 80 }),
  fc.string({ unit: 'binary', minLength: 200, maxLength: 2_000 }),
) as fc.Arbitrary<Json>

test('a shortened value is under the limit and still JSON', () => {
  fc.assert(
    fc.property(large, fc.integer({ min: 160, max: 2_000 }), (value, limit) => {
      const text = JSON.stringify(shorten(value, limit))
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(limit)
      JSON.parse(text)
    }),
    { numRuns: 1_000 },
  )
})

test('a value that fits is the same value', () => {
  fc.assert(
    fc.property(large, (value) => {
      expect(shorten(value, Math.max(160, sizeOf(value)))).toBe(value)
    }),
  )
})

test('shortening uses most of the room that there is', () => {
  const rows = Array.from({ length: 5_000 }, (_, id) => ({ id, name: `Product ${id}` }))
  expect(sizeOf(shorten(rows, 100_000))).toBeGreaterThan(99_000)
})

describe('what is left out is told', () => {
  test('a long array keeps its head', () => {
    const short = shorten(
      Array.from({ length: 1_000 }, (_, index) => index),
      400,
    ) as Json[]
    expect(short.slice(0, 3)).toEqual([0, 1, 2])
    expect(short.at(-1)).toBe(`… (${1_000 - short.length + 1} more items)`)
  })

  test('a long string is cut between characters', () => {
    const short = shorten('😀'.repeat(500), 300) as string
    const kept = short.match(/😀/g)!.length
    expect(short).toBe(`${'😀'.repeat(kept)}… (${1_000 - kept * 2} more characters)`)
  })

  test('a few large values share the room', () => {
    const short = shorten({ a: 'x'.repeat(5_000), b: 'y'.repeat(5_000), c: 'small' }, 2_000) as Record<string, string>
    expect(short.c).toBe('small')
    expect(short.a!.length).toBeGreaterThan(800)
    expect(short.b!.length).toBeGreaterThan(800)
  })

  test('an object with many keys keeps the first', () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`key${index}`, 'value']))
    const short = shorten(many, 500) as Record<string, Json>
    expect(short.key0).toBe('value')
    expect(short['…']).toBe(`(${500 - Object.keys(short).length + 1} more keys)`)
  })
})

test('nested and wide values are shortened without holding up the process', () => {
  let nested: Json = Array.from({ length: 40_000 }, (_, index) => 'x'.repeat(90) + index)
  for (let depth = 0; depth < 90; depth++) nested = depth % 2 === 0 ? [nested] : { nested }
  const wide = Object.fromEntries(Array.from({ length: 300_000 }, (_, index) => [`key${index}`, 1]))
  const before = process.threadCpuUsage()
  for (const value of [nested, wide]) expect(sizeOf(shorten(value, 100_000))).toBeLessThanOrEqual(100_000)
  const { user, system } = process.threadCpuUsage(before)
  expect(user + system).toBeLessThan(1_000_000)
})
