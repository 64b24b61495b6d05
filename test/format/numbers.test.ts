import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { counted, nounFor } from '../../src/format/counts.ts'
import { listed } from '../../src/format/lists.ts'
import {
  formatChange,
  formatDecimal,
  formatNumber,
  formatNumberShort,
  formatPercent,
  formatPercentChange,
} from '../../src/format/numbers.ts'
import { inSentence, sentenceCase, withStop } from '../../src/format/sentences.ts'

describe('A number', () => {
  it.each([
    [0, '0'],
    [-0, '0'],
    [999, '999'],
    [1000, '1,000'],
    [-1234.5, '−1,234.5'],
    [0.1 + 0.2, '0.3'],
    [-0.0001, '0'],
    [Number.MAX_SAFE_INTEGER, '9,007,199,254,740,991'],
  ])('%d reads %s', (number, text) => expect(formatNumber(number)).toBe(text))

  it('says what it was changed by', () => {
    expect([5, -5, 0, 2000].map(formatChange)).toEqual(['+5', '−5', '0', '+2,000'])
    expect([10, -3.46, 0.04].map(formatPercentChange)).toEqual(['+10%', '−3.5%', '0%'])
    expect([50, 33.333, 1250].map(formatPercent)).toEqual(['50%', '33.3%', '1,250%'])
  })

  it('is short at an axis, and has its decimals where they are compared', () => {
    expect([0, 950, 1250, -2_000_000].map(formatNumberShort)).toEqual(['0', '950', '1.3K', '−2M'])
    expect([4, 4.25, -0.01, 1234].map((number) => formatDecimal(number, 1))).toEqual(['4.0', '4.3', '0.0', '1,234.0'])
  })

  it('is read back as it was', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (number) => {
        expect(Number(formatNumber(number).replaceAll(',', '').replace('−', '-'))).toBe(number === 0 ? 0 : number)
      }),
    )
  })
})

describe('A count', () => {
  it.each([
    [0, 'order', '0 orders'],
    [1, 'order', '1 order'],
    [2, 'entry', '2 entries'],
    [3, 'day', '3 days'],
    [2000, 'address', '2,000 addresses'],
    [2, 'tax', '2 taxes'],
    [2, 'batch', '2 batches'],
    [2, 'free day', '2 free days'],
  ])('of %d %s reads %s', (count, one, text) => expect(counted(count, one)).toBe(text))

  it('takes a plural of its own', () => {
    expect([counted(2, 'person', 'people'), counted(1, 'person', 'people')]).toEqual(['2 people', '1 person'])
    expect([nounFor(1, 'key'), nounFor(2, 'key'), nounFor(0, 'reply')]).toEqual(['key', 'keys', 'replies'])
  })

  it('is of words that no plural leaves as they are', () => {
    fc.assert(fc.property(fc.stringMatching(/^[a-z]{1,12}$/), (word) => void expect(nounFor(2, word)).toMatch(/.s$/)))
  })
})

describe('A list', () => {
  it.each([
    [[], ''],
    [['a'], 'a'],
    [['a', 'b'], 'a and b'],
    [['a', 'b', 'c'], 'a, b and c'],
  ])('of %j reads %j', (items, text) => expect(listed(items)).toBe(text))

  it('may be a choice', () => expect(listed(['a', 'b', 'c'], 'or')).toBe('a, b or c'))
})

describe('A sentence', () => {
  it('begins with a capital and ends with a stop, once', () => {
    expect(['', 'x', 'élan', '漢字', '𝒶b', '“quoted”'].map(sentenceCase)).toEqual([
      '',
      'X',
      'Élan',
      '漢字',
      '𝒶b',
      '“quoted”',
    ])
    expect(['', 'Is it so', 'Is it so?', 'Yes.'].map(withStop)).toEqual(['', 'Is it so.', 'Is it so?', 'Yes.'])
    expect(inSentence('status must be one of draft')).toBe('Status must be one of draft.')
  })

  it('is the same again', () => {
    fc.assert(
      fc.property(fc.string(), (words) => {
        expect(inSentence(inSentence(words))).toBe(inSentence(words))
      }),
    )
  })
})
