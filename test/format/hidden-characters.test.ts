import { describe, expect, it } from 'vitest'
import { showHidden, withHiddenShown } from '../../src/format/hidden-characters.ts'

describe('A text for someone who decides', () => {
  it.each([
    ['an override of the direction', 'Tea\u202Eeruc', 'Tea⟨U+202E⟩eruc'],
    ['an isolate', '\u2066a\u2069', '⟨U+2066⟩a⟨U+2069⟩'],
    ['a zero-width space', 'T\u200bea', 'T⟨U+200B⟩ea'],
    ['a joiner between Latin letters', 'T\u200dea', 'T⟨U+200D⟩ea'],
    ['a soft hyphen', 'T\u00adea', 'T⟨U+00AD⟩ea'],
    ['a byte order mark', '\ufeffTea', '⟨U+FEFF⟩Tea'],
    ['tags', 'Tea\u{E0041}\u{E007F}', 'Tea⟨U+E0041⟩⟨U+E007F⟩'],
    ['variation selectors', 'T\ufe01\u{E0101}', 'T⟨U+FE01⟩⟨U+E0101⟩'],
    ['blanks that are letters', '\u3164\u115f\uffa0\u2800', '⟨U+3164⟩⟨U+115F⟩⟨U+FFA0⟩⟨U+2800⟩'],
    ['an escape of the terminal', '\u001b[2Jx', '⟨U+001B⟩[2Jx'],
    ['separators of lines', 'a\u2028b', 'a⟨U+2028⟩b'],
    ['a private character', '\ue000', '⟨U+E000⟩'],
    ['Cyrillic letters in a Latin word', 'pаypаl', 'pа⟨U+0430⟩ypа⟨U+0430⟩l'],
    ['a Latin letter in a Cyrillic word', 'Пpивет', 'Пp⟨U+0070⟩ивет'],
    ['a Greek letter in a Latin word', 'Gοogle', 'Gο⟨U+03BF⟩ogle'],
    ['a letter with its accent', 'pа\u0301l', 'pа\u0301⟨U+0430⟩l'],
  ])('shows %s', (_, text, shown) => {
    expect(showHidden(text)).toBe(shown)
  })

  it.each([
    ['lines and tabs', 'a\n\tb\r\n'],
    ['words in several scripts', 'Tea чай τσάι 茶のTシャツ 차 شاي'],
    ['emoji', '👩‍💻 ❤️ 👍🏽 🏳️‍🌈 1️⃣ ✔︎'],
    ['Persian', 'می‌خواهم'],
    ['Hindi', 'क्‍ष'],
    ['accents', 'Crème brûlée, Zu\u0308rich'],
    ['amounts', '29,00 €\u00a0→ ½ µm'],
  ])('stays as it is with %s', (_, text) => {
    expect(showHidden(text)).toBe(text)
  })

  it('shows the texts and keys inside of values, and nothing else of them', () => {
    expect(withHiddenShown({ 'a\u200b': ['b\u200b', { c: null, d: 1, e: true }] })).toEqual({
      'a⟨U+200B⟩': ['b⟨U+200B⟩', { c: null, d: 1, e: true }],
    })
  })
})
