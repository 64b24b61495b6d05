import { describe, expect, it } from 'vitest'
import { littleText } from '../../../src/features/social/providers/linked-in/publish.ts'
import { busyUntil } from '../../../src/features/social/providers/network.ts'
import { basic, challengeOf, codeIn, renewAt } from '../../../src/features/social/providers/oauth.ts'
import { comparable, textOf } from '../../../src/features/social/providers/x-network/api.ts'

const NOW = Date.parse('2026-03-01T12:00:00Z')

describe('The limit of a network', () => {
  const until = (status: number, headers: Record<string, string>) => {
    const moment = busyUntil(status, new Headers(headers), { now: NOW })
    return moment === null ? null : (moment - NOW) / 1000
  }

  it.each([
    ['seconds to wait', 429, { 'Retry-After': '120' }, 120],
    ['a date', 429, { 'Retry-After': 'Sun, 01 Mar 2026 12:05:00 GMT' }, 300],
    ['the wait of a network that is busy', 503, { 'Retry-After': '30' }, 30],
    ['a moment of X', 429, { 'x-rate-limit-reset': String(NOW / 1000 + 900), 'x-rate-limit-remaining': '0' }, 900],
    ['a moment of Mastodon', 429, { 'X-RateLimit-Reset': '2026-03-01T12:03:00.000Z' }, 180],
    ['seconds from now', 429, { 'ratelimit-reset': '45' }, 45],
    [
      'the limit of a day, where that of a quarter of an hour is not used up',
      429,
      {
        ...{ 'x-rate-limit-reset': String(NOW / 1000 + 900), 'x-rate-limit-remaining': '15' },
        ...{ 'x-user-limit-24hour-reset': String(NOW / 1000 + 7200), 'x-user-limit-24hour-remaining': '0' },
      },
      7200,
    ],
    ['a minute where it says nothing', 429, {}, 60],
    ['nothing for a fault', 503, {}, null],
    ['nothing for a refusal', 403, { 'Retry-After': '1' }, null],
  ])('is read as %s', (_, status, headers, seconds) => {
    expect(until(status, headers as Record<string, string>)).toBe(seconds)
  })
})

describe('OAuth', () => {
  it('challenges as RFC 7636 has it (appendix B)', () => {
    expect(challengeOf('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')).toBe(
      'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    )
  })

  it('encodes id and secret before it joins them', () => {
    expect(Buffer.from(basic('id', 'a:b/c').replace('Basic ', ''), 'base64').toString()).toBe('id:a%3Ab%2Fc')
  })

  it('renews before the end, and short access at its half', () => {
    expect(renewAt(7200, NOW)).toBe('2026-03-01T13:50:00.000Z')
    expect(renewAt(60, NOW)).toBe('2026-03-01T12:00:30.000Z')
    expect(renewAt(undefined, NOW)).toBeNull()
  })

  it('tells a person who declined from a network that refused', () => {
    expect(codeIn({ code: 'c' })).toEqual({ code: 'c' })
    expect(codeIn({ error: 'access_denied' })).toEqual({ declined: 'Access was not allowed.' })
    expect(() => codeIn({ error: 'invalid_scope', error_description: 'No such scope' })).toThrow('No such scope')
    expect(() => codeIn({})).toThrow('The network sent no code')
  })
})

describe('Words for LinkedIn', () => {
  it.each([
    ['plain', 'plain'],
    [
      'a_b (c) [d] {e} <f> @g *h* ~i~ j|k \\l',
      'a\\_b \\(c\\) \\[d\\] \\{e\\} \\<f\\> \\@g \\*h\\* \\~i\\~ j\\|k \\\\l',
    ],
    ['#birds and #büch', '{hashtag|\\#|birds} and {hashtag|\\#|büch}'],
    ['(#one) x#two # three', '\\({hashtag|\\#|one}\\) x\\#two \\# three'],
  ])('escape what means something there: %s', (given, sent) => {
    expect(littleText(given)).toBe(sent)
  })
})

describe('Words from X', () => {
  it('are as they were written', () => {
    const urls = [
      { url: 'https://t.co/a', expanded_url: 'http://kestrel.example' },
      { url: 'https://t.co/b', expanded_url: 'https://x.com/k/status/1/photo/1', media_key: '3_1' },
    ]
    const shown = textOf({
      id: '1',
      text: 'Birds &amp; &lt;more&gt; https://t.co/a https://t.co/b',
      entities: { urls },
    })
    expect(shown).toBe('Birds & <more> http://kestrel.example')
    expect(comparable(shown)).toBe(comparable('Birds &  <more>\nkestrel.example/'))
    expect(comparable(shown)).not.toBe(comparable('Birds & <more> kestrel.example/other'))
  })
})
