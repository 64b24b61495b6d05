import { vatIdSchema } from '../../../../contract/declarations/place.ts'
import { isDay } from '../../../../contract/values/days.ts'
import { normalizeEmail } from '../../../../contract/values/email.ts'
import { currencies, cut, timestampOf, toTimestamp } from '../../../../contract/values/values.ts'
import { momentOf } from '../../../../contract/values/wall-clock.ts'
import { countriesByName, isCountry } from '../../../../format/countries.ts'
import { withoutApostrophe } from '../../../../format/csv.ts'
import { minorDigits } from '../../../../format/money.ts'
import { amountExamples, readAmount } from '../../../../format/money-input.ts'
import { regionName } from '../../../../format/regions.ts'
import { Product } from '../../../../resources/catalog/product/product.ts'
import type { Columns, TableRow } from './table.ts'

/** Matches `2024-03-05`, optionally with a time and a zone: `2024-03-05 14:22:10 +0100`, `2024-03-05T13:22:10Z`, `2024-03-05 13:22`. */
const TIMESTAMP =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?)?\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2})?$/i

const PLAIN_DECIMAL = /^(\d+)\.(\d+)$/

/** The name of a column, or its names in different versions of an export. */
export type Column = string | readonly string[]

/** A problem with a cell, or a change that the import made to its value. The message says how to correct it. */
export interface Remark {
  line: number
  column: string
  value: string
  message: string
}

export interface Defaults {
  currency: string
  timeZone: string
}

/** The maximum amount, far above that of any order. Sums of such amounts are still exact. */
const MOST_AMOUNT = 1_000_000_000_000
const MAX_METADATA_VALUE = 500
const MOST_SHOWN = 100
const YES = new Set(['yes', 'true', '1', 'y', 't'])
const NO = new Set(['no', 'false', '0', 'n', 'f'])

const codesByName = new Map(countriesByName().map(({ code, name }) => [name.toLowerCase(), code]))

/** Reads the cells of one object, which may span several rows, and collects their problems. */
export class Reader {
  readonly problems: Remark[] = []
  readonly notes: Remark[] = []
  readonly #columns: Columns
  readonly #defaults: Defaults

  constructor(columns: Columns, defaults: Defaults) {
    this.#columns = columns
    this.#defaults = defaults
  }

  /** Returns the trimmed text of a cell, or null if it is empty. A text longer than `most` is cut, with a note. */
  text(row: TableRow, column: Column, most?: number): string | null {
    const raw = this.#raw(row, column)
    return raw === null || most === undefined ? raw : this.cut(row, column, raw, most)
  }

  /** Cuts a text that was derived from a cell to `most` characters, with a note. */
  cut(row: TableRow, column: Column, text: string, most: number): string {
    if (text.length <= most) return text
    this.note(row, column, `is cut to its first ${most} characters, the most that fit here`)
    return cut(text, most)
  }

  /** Returns rich text without active content, sanitized by the rules of the API. */
  html(row: TableRow, column: Column): string | null {
    const text = this.text(row, column)
    if (text === null) return null
    const { success, data, error } = Product.fields.body_html.spec.schema.safeParse(text)
    if (!success) this.refuse(row, column, error.issues[0]?.message ?? 'is no HTML')
    return success ? String(data) : null
  }

  required(row: TableRow, column: Column, most?: number): string {
    const text = this.text(row, column, most)
    if (text === null) this.refuse(row, column, 'is empty, and is needed')
    return text ?? ''
  }

  email(row: TableRow, column: Column): string | null {
    const text = this.text(row, column)
    if (text === null) return null
    const { address, problem } = normalizeEmail(text)
    if (problem !== null) this.refuse(row, column, `${problem}; an address is like ada@example.com`)
    return address
  }

  currency(row: TableRow, column: Column): string {
    const text = this.text(row, column)?.toLowerCase() ?? this.#defaults.currency
    if (!currencies.has(text)) this.refuse(row, column, 'is no currency; one is like usd')
    return currencies.has(text) ? text : this.#defaults.currency
  }

  /** Returns an amount in minor units, or null if the cell is empty. */
  amount(row: TableRow, column: Column, currency: string, { negative = false } = {}): number | null {
    const text = this.text(row, column)
    if (text === null) return null
    const units = readMoney(text, currency)
    const fits = units !== null && Math.abs(units) <= MOST_AMOUNT && (negative || units >= 0)
    if (!fits) this.refuse(row, column, `is no amount in ${currency}; one is like ${amountExamples(currency)}`)
    return fits ? units : null
  }

  moment(row: TableRow, column: Column, timeZone = this.#defaults.timeZone): string | null {
    const text = this.text(row, column)
    if (text === null) return null
    const moment = readMoment(text, timeZone)
    if (moment === null) this.refuse(row, column, 'is no date; one is like 2024-03-05 or 2024-03-05 14:22:10 +0100')
    return moment
  }

  whole(row: TableRow, column: Column, { min = 0, max = 2_147_483_647 } = {}): number | null {
    const text = this.text(row, column)
    if (text === null) return null
    const number = /^-?\d{1,15}(\.0+)?$/.test(text) ? Number(text) : Number.NaN
    if (number >= min && number <= max) return number
    this.refuse(row, column, `is no whole number from ${min} to ${max}`)
    return null
  }

  flag(row: TableRow, column: Column): boolean | null {
    const text = this.text(row, column)?.toLowerCase()
    if (text === undefined) return null
    if (!YES.has(text) && !NO.has(text)) this.refuse(row, column, 'is neither yes nor no')
    return YES.has(text)
  }

  oneOf<const Value extends string>(row: TableRow, column: Column, values: readonly Value[]): Value | null {
    const text = this.text(row, column)?.toLowerCase()
    if (text === undefined) return null
    const value = values.find((one) => one === text)
    if (value === undefined) this.refuse(row, column, `is none of ${values.join(', ')}`)
    return value ?? null
  }

  /** Returns a two-letter country code. The cell may contain the code or the English name of the country. */
  country(row: TableRow, column: Column): string | null {
    const text = this.text(row, column)
    if (text === null) return null
    const code = isCountry(text.toUpperCase()) ? text.toUpperCase() : codesByName.get(text.toLowerCase())
    if (code === undefined) this.note(row, column, 'is left out: it is no country; one is like DE or Germany')
    return code ?? null
  }

  /** Returns the code of a US state or a Canadian province; null for other countries. */
  region(row: TableRow, column: Column, country: string | null): string | null {
    if (country !== 'US' && country !== 'CA') return null
    const code = this.text(row, column)
      ?.toUpperCase()
      .replace(/^(US|CA)-/, '')
    if (code === undefined) return null
    const known = regionName(country, code) !== null
    if (!known) this.note(row, column, `is left out: it is no state or province of ${country}; one is like CA or ON`)
    return known ? code : null
  }

  vatId(row: TableRow, column: Column): string | null {
    const text = this.text(row, column)
    if (text === null) return null
    const { data } = vatIdSchema.safeParse(text)
    if (data === undefined) this.note(row, column, 'is left out: it is no VAT id; one is like DE136695976')
    return data ?? null
  }

  /** Returns the distinct parts of a comma-separated cell. Parts of more than `most` characters are left out, with a note. */
  list(row: TableRow, column: Column, most: number): string[] {
    const texts = (this.text(row, column) ?? '').split(',').map((text) => text.trim())
    const filled = [...new Set(texts.filter((text) => text !== ''))]
    const fitting = filled.filter((text) => text.length <= most)
    if (fitting.length < filled.length)
      this.note(row, column, `is taken without the entries that are longer than ${most} characters`)
    return fitting
  }

  /** Returns the cells of the given columns, by their names in `metadata`. */
  metadata(row: TableRow, columns: Readonly<Record<string, Column>>): Record<string, string> {
    const values: Record<string, string> = {}
    for (const [name, column] of Object.entries(columns)) {
      const text = this.text(row, column, MAX_METADATA_VALUE)
      if (text !== null) values[name] = text
    }
    return values
  }

  refuse(row: TableRow, column: Column, message: string): void {
    this.problems.push(this.#remark(row, column, message))
  }

  note(row: TableRow, column: Column, message: string): void {
    this.notes.push(this.#remark(row, column, message))
  }

  has(column: Column): boolean {
    return namesOf(column).some((name) => this.#columns.has(name))
  }

  #raw(row: TableRow, column: Column): string | null {
    for (const name of namesOf(column)) {
      const place = this.#columns.place(name)
      const text = place === undefined ? '' : withoutApostrophe(withoutNuls(row.cells[place] ?? '').trim())
      if (text !== '') return text
    }
    return null
  }

  #remark(row: TableRow, column: Column, message: string): Remark {
    const names = namesOf(column)
    const name = names.find((one) => this.#columns.has(one)) ?? names[0] ?? ''
    return { line: row.line, column: name, value: cut(this.#raw(row, column) ?? '', MOST_SHOWN), message }
  }
}

export function namesOf(column: Column): readonly string[] {
  return typeof column === 'string' ? [column] : column
}

/** PostgreSQL cannot store NUL characters. */
function withoutNuls(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '') : text
}

/** Parses a cell into exact minor units, or null if it is ambiguous or invalid. Unlike `readAmount`, accepts negative amounts. */
export function readMoney(text: string, currency: string): number | null {
  const [, minus = '', amount = ''] = /^([-−]?)(.*)$/s.exec(text.trim()) ?? []
  const units = readAmount(withoutZeros(amount, minorDigits(currency)), currency)
  if (units === null || units === 0) return units
  return minus === '' ? units : -units
}

/** Removes trailing zeros beyond the currency's decimals. Three decimals stay, so that `readAmount` rejects them as ambiguous. */
function withoutZeros(amount: string, digits: number): string {
  const [, whole, decimals] = PLAIN_DECIMAL.exec(amount) ?? []
  if (whole === undefined || decimals === undefined || decimals.length <= digits || decimals.length === 3) return amount
  if (!/^0*$/.test(decimals.slice(digits))) return amount
  return digits === 0 ? whole : `${whole}.${decimals.slice(0, digits)}`
}

/**
 * Parses a date, optionally with a time, or returns null if it is ambiguous or invalid. The year must come first, because
 * `03/04/2024` has two meanings.
 */
export function readMoment(text: string, timeZone: string): string | null {
  const [, day, hour = '00', minute = '00', second = '00', zone] = TIMESTAMP.exec(text.trim()) ?? []
  if (day === undefined || !isDay(day)) return null
  const time = `${hour}:${minute}:${second}`
  if (zone !== undefined) return toTimestamp(`${day}T${time}${/^[+-]/.test(zone) ? zone : 'Z'}`)
  const reading = Date.parse(`${day}T${time}Z`)
  if (Number.isNaN(reading)) return null
  return toTimestamp(timestampOf(new Date(momentOf(timeZone, reading))))
}
