import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { orderSums } from '../../src/features/importing/formats/order-sums.ts'
import { shapeOf } from '../../src/features/importing/formats/reading/encoding.ts'
import { readMoment, readMoney } from '../../src/features/importing/formats/reading/reader.ts'
import { readTable, type TableRow } from '../../src/features/importing/formats/reading/table.ts'
import { csvLine, withoutApostrophe } from '../../src/format/csv.ts'
import { minorDigits, plainAmount } from '../../src/format/money.ts'
import { fileOf } from './importing.ts'

const CURRENCIES = ['usd', 'eur', 'jpy', 'krw', 'kwd', 'clf']

describe('Amounts in files', () => {
  const amounts = fc.integer({ min: -10_000_000_000, max: 10_000_000_000 })
  const currency = fc.constantFrom(...CURRENCIES)

  it('are read to the unit as programs write them', () => {
    fc.assert(
      fc.property(amounts, currency, (units, code) => {
        expect(readMoney(plainAmount(units, code), code)).toBe(units)
      }),
    )
  })

  it('are read to the unit with a comma, with groups, and with more zeros', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000_000_000 }), fc.constantFrom('usd', 'eur'), (units, code) => {
        const [whole = '', decimals = ''] = plainAmount(units, code).split('.')
        const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, '.')
        expect(readMoney(`${whole},${decimals}`, code)).toBe(units)
        expect(readMoney(`${grouped},${decimals}`, code)).toBe(units)
        expect(readMoney(`${whole}.${decimals}00`, code)).toBe(units)
      }),
    )
    expect(readMoney('1200.00', 'jpy')).toBe(1200)
  })

  it('are refused where they could mean two things, or lose a part', () => {
    for (const text of ['1.250', '1,250', '12.345', '12.3401', '12,3,4', '1e3', '', 'free', '--5', '0x10'])
      expect([text, readMoney(text, 'usd')]).toEqual([text, null])
    expect(readMoney('12.50', 'jpy')).toBe(null)
  })
})

describe('Dates in files', () => {
  it('are the same moment in every spelling and zone', () => {
    const moments = fc.integer({ min: 0, max: 4_000_000_000 })
    fc.assert(
      fc.property(moments, fc.integer({ min: -14 * 4, max: 14 * 4 }), (seconds, quarters) => {
        const moment = `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`
        const shown = new Date((seconds + quarters * 900) * 1000).toISOString()
        const minutes = Math.abs(quarters) * 15
        const two = (number: number) => String(Math.floor(number)).padStart(2, '0')
        const zone = `${quarters < 0 ? '-' : '+'}${two(minutes / 60)}${two(minutes % 60)}`
        if (Number(shown.slice(0, 4)) < 1970) return
        expect(readMoment(`${shown.slice(0, 10)} ${shown.slice(11, 19)} ${zone}`, 'Asia/Tokyo')).toBe(moment)
        expect(readMoment(moment, 'Asia/Tokyo')).toBe(moment)
        expect(readMoment(moment.replace('T', ' ').replace('Z', ' UTC'), 'Asia/Tokyo')).toBe(moment)
      }),
    )
  })

  it('without a zone are meant where the shop is', () => {
    expect(readMoment('2024-07-01', 'Europe/Berlin')).toBe('2024-06-30T22:00:00Z')
    expect(readMoment('2024-01-01 12:30', 'America/New_York')).toBe('2024-01-01T17:30:00Z')
  })

  it('are refused where day and month could be mistaken, or there is no such day', () => {
    for (const text of [
      '03/04/2024',
      '2024-02-30',
      '2023-02-29',
      '1 March 2024',
      '20240301',
      '2024-13-01',
      '2024-01-01 25:00',
    ])
      expect([text, readMoment(text, 'UTC')]).toEqual([text, null])
  })
})

describe('Files', () => {
  async function read(bytes: Uint8Array | string, piece = 3) {
    const file = fileOf('file', bytes, piece)
    const shape = await shapeOf(file.open())
    const { columns, rows } = await readTable(file.open(), shape)
    const found: TableRow[] = []
    for await (const row of rows) found.push(row)
    return { shape, names: columns.names, rows: found }
  }

  it('are read whatever their encoding, line ends and separators', async () => {
    const text = 'Name;City\r\nZoë;"Köln;\r\nDeutz"\r\n\r\nJosé;Orléans\r\n'
    const rows = [
      { line: 2, cells: ['Zoë', 'Köln;\r\nDeutz'] },
      { line: 5, cells: ['José', 'Orléans'] },
    ]
    const latin = Uint8Array.from([...text].map((character) => character.charCodeAt(0)))
    const utf16 = new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le'))
    const written = { 'utf-8': text, 'windows-1252': latin, 'utf-16le': utf16 }
    for (const [encoding, bytes] of Object.entries(written))
      expect(await read(bytes)).toEqual({
        shape: expect.objectContaining({ encoding, delimiter: ';' }),
        names: ['Name', 'City'],
        rows,
      })
    expect((await read(`\ufeff${text}`)).names).toEqual(['Name', 'City'])
    expect((await read('a\tb\n1\t2\n')).rows).toEqual([{ line: 2, cells: ['1', '2'] }])
  })

  it('give back what was written', async () => {
    const cell = fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\0', ''))
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(cell, cell, fc.constant('end')), { minLength: 1 }), async (table) => {
        const { rows } = await read([['a', 'b', 'c'], ...table].map(csvLine).join(''), 7)
        expect(rows.map(({ cells }) => cells.map(withoutApostrophe))).toEqual(table)
      }),
      { numRuns: 60 },
    )
  })

  it('say where a quotation mark is not closed, and that a file is empty', async () => {
    await expect(read('a,b\n1,2\n"3,4\n5,6\n')).rejects.toThrow('never closed')
    await expect(read('a,b\n1,2"x"\n')).rejects.toThrow('near line 2')
    await expect(read('')).rejects.toThrow('The file is empty')
  })
})

describe('The amounts of an order', () => {
  it('are shared among its lines without losing a unit', () => {
    const line = fc.record({
      quantity: fc.integer({ min: 1, max: 9 }),
      unit_amount: fc.integer({ min: 0, max: 99_999 }),
    })
    const amount = fc.integer({ min: 0, max: 500_000 })
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 6 }),
        amount,
        amount,
        amount,
        amount,
        (given, total, tax, discount, refunded) => {
          const lines = given.map((one) => ({ ...one, keys: [], product_name: 'Mug', price_variant_name: 'Default' }))
          const order = orderSums({ lines, total, tax, discount, refunded })
          const sum = (name: 'amount' | 'amount_discount' | 'amount_tax' | 'amount_refunded' | 'amount_tax_refunded') =>
            order.lines.reduce((all, one) => all + one[name], 0)
          expect(order.amount).toBe(total)
          for (const name of [
            'amount',
            'amount_discount',
            'amount_tax',
            'amount_refunded',
            'amount_tax_refunded',
          ] as const)
            expect([name, sum(name)]).toEqual([name, order[name]])
          const added = order.tax_inclusive ? 0 : order.amount_tax
          expect(order.subtotal - order.amount_discount + added).toBe(order.amount)
          for (const one of order.lines) {
            expect(
              one.unit_amount * one.quantity - one.amount_discount + (order.tax_inclusive ? 0 : one.amount_tax),
            ).toBe(one.amount)
            expect(
              Math.min(one.amount, one.amount_discount, one.amount_tax, one.amount_refunded),
            ).toBeGreaterThanOrEqual(0)
            expect(one.amount_refunded).toBeLessThanOrEqual(one.amount)
          }
        },
      ),
    )
  })

  it('have the digits of their currency', () => {
    expect(CURRENCIES.map(minorDigits)).toEqual([2, 2, 0, 0, 3, 4])
  })
})
