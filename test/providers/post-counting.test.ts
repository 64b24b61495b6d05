import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countCharacters } from '../../src/features/social/resources/social-platform/counting.ts'
import { PLATFORMS } from '../../src/features/social/resources/social-platform/platforms.ts'

const FAMILY = '👨‍👩‍👧‍👦'
/** Counts that follow from what the networks publish. */
const KNOWN: [text: string, x: number, bluesky: number, mastodon: number][] = [
  ['', 0, 0, 0],
  ['Hello', 5, 5, 5],
  ['Grüße', 5, 5, 5],
  ['Gru\u0308ße', 5, 5, 5],
  ['Ж’“”', 4, 4, 4],
  ['…', 2, 1, 1],
  ['日本語', 6, 3, 3],
  ['한국어', 6, 3, 3],
  ['😀', 2, 1, 1],
  [FAMILY, 2, 1, 1],
  ['🇩🇪🇫🇷', 4, 2, 2],
  ['👍🏽!', 3, 2, 2],
  ['https://shop.example.com/a/very/long/path?with=a&query=string', 23, 61, 23],
  ['http://a.co', 23, 11, 23],
  ['See https://shop.com/x.', 28, 23, 28],
  ['(https://shop.com/x)', 25, 20, 25],
  ['shop.com is open', 31, 16, 16],
  ['v1.2.3 and file.tsx', 19, 19, 19],
  ['a@shop.com', 10, 10, 10],
  ['@ada@social.example hi', 22, 22, 7],
  ['https://localhost/a', 19, 19, 23],
]

describe('Characters of a post', () => {
  it.each(KNOWN)('of %j are %i on X, %i on Bluesky and %i on Mastodon', (text, x, bluesky, mastodon) => {
    const counted = (['x', 'bluesky', 'mastodon'] as const).map((platform) => countCharacters(platform, text))
    expect(counted).toEqual([x, bluesky, mastodon])
    expect(countCharacters('linkedin', text)).toBe([...text].length)
  })

  it('are never more than there is to count, and do not depend on how they are composed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
        for (const { platform } of PLATFORMS) {
          const count = countCharacters(platform, text)
          expect(count).toBeGreaterThanOrEqual(0)
          expect(count).toBeLessThanOrEqual(Math.max(2 * text.length, 23 * text.split(/[\s]/).length + 2 * text.length))
        }
        expect(countCharacters('x', text.normalize('NFD'))).toBe(countCharacters('x', text))
      }),
    )
  })

  it('grow by one with each plain letter', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{0,50}$/), (text) => {
        for (const { platform } of PLATFORMS) expect(countCharacters(platform, `${text} a`)).toBe(text.length + 2)
      }),
    )
  })

  it('are counted quickly, whatever the text', () => {
    for (const text of [
      'a.'.repeat(30_000),
      '@a'.repeat(30_000),
      'http://'.repeat(9_000),
      `https://a.co/${'('.repeat(60_000)}`,
    ]) {
      const start = performance.now()
      for (const { platform } of PLATFORMS) countCharacters(platform, text)
      expect(performance.now() - start).toBeLessThan(5_000)
    }
  })
})
