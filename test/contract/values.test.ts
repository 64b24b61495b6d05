import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SLUG } from '../../src/contract/declarations/slug.ts'
import { normalizeEmail } from '../../src/contract/values/email.ts'
import { idPattern, newId } from '../../src/contract/values/ids.ts'
import { didYouMean, nearest } from '../../src/contract/values/nearest.ts'
import { cut, isTimeZone, toTimestamp } from '../../src/contract/values/values.ts'
import { kebabCase, MAX_SLUG_BASE } from '../../src/records/slugs.ts'
import { MAX_NAME, MAX_PART } from '../../src/resources/audience/customer/customer.ts'
import { fillNames } from '../../src/resources/audience/customer/write.ts'

describe('A timestamp', () => {
  it('is written in UTC with whole seconds, whatever its offset', () => {
    const offset = fc.integer({ min: -14 * 60, max: 14 * 60 })
    const moment = fc.integer({ min: 86_400, max: 253_402_000_000 })
    fc.assert(
      fc.property(moment, offset, fc.nat(999), (seconds, minutes, millis) => {
        const local = new Date((seconds + minutes * 60) * 1000 + millis).toISOString().slice(0, -1)
        const sign = minutes < 0 ? '-' : '+'
        const [hour, minute] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60].map((n) =>
          String(n).padStart(2, '0'),
        )
        const expected = `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`
        for (const zone of [`${sign}${hour}:${minute}`, `${sign}${hour}${minute}`]) {
          expect(toTimestamp(`${local}${zone}`)).toBe(expected)
        }
        expect(toTimestamp(expected)).toBe(expected)
      }),
    )
  })

  it('is refused when there is no such moment', () => {
    for (const wrong of [
      '2026-02-29T00:00:00Z',
      '2026-04-31T00:00:00Z',
      '2026-13-01T00:00:00Z',
      '2026-00-01T00:00:00Z',
      '2026-01-00T00:00:00Z',
      '2026-01-01T25:00:00Z',
      '2026-01-01T00:60:00Z',
      '2026-01-01T00:00:00',
      '2026-01-01 00:00:00Z',
      '2026-01-01',
      '20260101T000000Z',
      '2026-01-01T00:00:00+99:00',
      '1969-12-31T23:59:59Z',
      ' 2026-01-01T00:00:00Z',
      '2026-01-01T00:00:00Z\n',
      '',
    ]) {
      expect([wrong, toTimestamp(wrong)]).toEqual([wrong, null])
    }
    expect(toTimestamp('2024-02-29t10:30z')).toBe('2024-02-29T10:30:00Z')
    fc.assert(fc.property(fc.string(), (given) => toTimestamp(given) === null || /Z$/.test(toTimestamp(given)!)))
  })
})

describe('An id', () => {
  it('sorts after every earlier one and has the form of its prefix alone', () => {
    const ids = Array.from({ length: 5000 }, () => newId('prod'))
    expect(ids.toSorted()).toEqual(ids)
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(idPattern('prod').test(id)).toBe(true)
    for (const wrong of [
      newId('post'),
      'prod_',
      `${ids[0]}x`,
      ids[0]!.toUpperCase(),
      ids[0]!.replace('_0', '_8'),
      `x${ids[0]}`,
      `${ids[0]}\n`,
    ]) {
      expect([wrong, idPattern('prod').test(wrong)]).toEqual([wrong, false])
    }
  })
})

describe('The nearest name', () => {
  const names = ['name', 'amount', 'status', 'description', 'discount_type']

  it('is the one that was likely meant', () => {
    for (const [written, meant] of [
      ['nmae', 'name'],
      ['Status', 'status'],
      ['descripton', 'description'],
      ['amout', 'amount'],
      ['discount-type', 'discount_type'],
    ]) {
      expect(nearest(written!, names)).toBe(meant)
    }
    for (const far of ['x', 'price', 'zzzzzzzzz', '']) expect([far, nearest(far, names)]).toEqual([far, null])
  })

  it('is any known name itself, and is not suggested then', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1 }), { minLength: 1 }), fc.nat(), (known, index) => {
        const one = known[index % known.length]!
        expect(nearest(one, known)?.toLowerCase()).toBe(one.toLowerCase())
        expect(didYouMean(one, [one])).toBe('')
      }),
    )
  })
})

describe('An e-mail address', () => {
  it('has one form, which stays as it is', () => {
    const word = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(word, word, fc.constantFrom('de', '广告', 'भारत', 'xn--4rr70v'), (local, domain, top) => {
        const { address } = normalizeEmail(`${local}@${domain}.${top}`)
        if (address === null) return
        expect(normalizeEmail(address).address).toBe(address)
        expect(normalizeEmail(address.normalize('NFD')).address).toBe(address)
        expect(address).toBe(address.normalize('NFC'))
      }),
      { numRuns: 2000 },
    )
  })

  it('is never that of a look-alike, which is refused or stays different', () => {
    const plain = 'kate.ali@example.com'
    for (const [index, letter] of [...plain].entries()) {
      if (!/[a-z]/.test(letter)) continue
      for (let code = 0x80; code < 0x20000; code++) {
        const other = String.fromCodePoint(code)
        if (other.toLowerCase() !== letter && other.toUpperCase() !== letter.toUpperCase()) continue
        const spelling = plain.slice(0, index) + other + plain.slice(index + 1)
        expect([spelling, normalizeEmail(spelling).address]).not.toEqual([spelling, plain])
      }
    }
  })
})

describe('A slug made from a name', () => {
  it('is in kebab case', () => {
    for (const [name, slug] of [
      ['Ruby Handbook', 'ruby-handbook'],
      ["Ada's  Guide!", 'adas-guide'],
      ['Crème Brûlée', 'creme-brulee'],
      ['50% off — now', '50-off-now'],
      ['ﬁne Straße', 'fine-strasse'],
      ['日本語', 'ri-ben-yu'],
      ['Привет мир', 'privet-mir'],
      ['Ελλάδα', 'ellada'],
      ['Đà Nẵng', 'da-nang'],
      ['Łódź — Ærø', 'lodz-aero'],
      ['ひらがな', 'hiragana'],
      ['안녕하세요', 'annyeonghaseyo'],
      ['مرحبا', 'mrhb'],
      ['соль', 'sol'],
      ['🎉 2026 🎉', '2026'],
      ['🎉', ''],
      ['—', ''],
    ]) {
      expect(kebabCase(name!)).toBe(slug)
    }
  })

  it('is a slug with room for a number, or nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (name) => {
        const slug = kebabCase(name)
        expect(slug === '' || SLUG.test(slug)).toBe(true)
        expect(slug.length).toBeLessThanOrEqual(MAX_SLUG_BASE)
      }),
    )
  })
})

describe('Names', () => {
  const word = fc.stringMatching(/^[a-z]{1,30}$/)

  it('fill each other and keep what was given', () => {
    fc.assert(
      fc.property(word, word, (first_name, last_name) => {
        expect(fillNames({ first_name, last_name })).toEqual({
          first_name,
          last_name,
          name: `${first_name} ${last_name}`,
        })
        expect(fillNames({ name: `${first_name} ${last_name}` })).toMatchObject({ first_name, last_name })
        expect(fillNames({ name: `${first_name}  ${last_name}`, last_name })).toMatchObject({ first_name, last_name })
        expect(() => fillNames({ name: `x${first_name} ${last_name}`, first_name })).toThrow(
          'Name must begin with first_name',
        )
        expect(fillNames({ last_name }, { first_name })).toEqual({ last_name, name: `${first_name} ${last_name}` })
      }),
    )
    expect(fillNames({})).toEqual({})
  })

  it('stay within their lengths', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: MAX_NAME }), (name) => {
        const { first_name, last_name } = fillNames<{
          name?: string
          first_name?: string | null
          last_name?: string | null
        }>({ name })
        for (const part of [first_name, last_name]) expect((part ?? '').length).toBeLessThanOrEqual(MAX_PART)
      }),
    )
  })
})

describe('A text that is cut', () => {
  it('is a beginning of it without half a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(20), (text, length) => {
        const beginning = cut(text, length)
        expect(text.startsWith(beginning)).toBe(true)
        expect(beginning.length).toBeLessThanOrEqual(length)
        expect(beginning.isWellFormed()).toBe(true)
      }),
    )
  })
})

describe('A time zone', () => {
  it('has an IANA name', () => {
    for (const name of ['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5'])
      expect(isTimeZone(name)).toBe(true)
    for (const name of ['', '+02:00', 'Mars/Base', 'Europe', ' UTC', '\0']) expect(isTimeZone(name)).toBe(false)
  })
})
