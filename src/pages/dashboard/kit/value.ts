import { html, raw } from 'hono/html'
import type { Field } from '../../../contract/declarations/field.ts'
import { safeHtml } from '../../../contract/declarations/rich-text.ts'
import { countryName } from '../../../format/countries.ts'
import { formatDuration } from '../../../format/durations.ts'
import { formatExactMoment, formatMoment, formatShortDay } from '../../../format/moments.ts'
import { currencyCode, formatMoney } from '../../../format/money.ts'
import { formatNumber } from '../../../format/numbers.ts'
import { plainText } from '../../../format/plain-text.ts'
import { sentenceCase } from '../../../format/sentences.ts'
import { bytesInWords } from '../../../format/sizes.ts'
import type { Shown } from '../../../resources/nouns.ts'
import { type Fact, factList, type Page } from '../../parts/markup.ts'
import type { Values } from './call.ts'
import { isPairs, kindOf } from './fields.ts'
import { addressOf, type DashboardContext, type Surroundings } from './visit.ts'
import { calledOf, fieldTitle, nameOf, shortened, shortId, valueTitle } from './words.ts'

type Room = 'cell' | 'line'

interface ShownValueOptions {
  visit: Surroundings
  field: Field
  name: string
  /** All fields of the resource, which include the currency of its amounts. */
  values: Values
  room: Room
}

const CELL_TEXT = 60
const LINE_TEXT = 2_000
/** Meanings of null that are longer than this are shown as a dash. */
const SHORT_MEANING = 40

export function shownValue({ visit, field, name, values, room }: ShownValueOptions): Page {
  const value = values[name]
  if (value === null || value === undefined || value === '') return emptyValue(field, room)
  const { spec } = field
  switch (kindOf(spec)) {
    case 'money':
      return number(formatMoney(Number(value), currencyOf(values, visit)))
    case 'moment':
      return shownMoment(String(value), visit, room)
    case 'choice':
      return name === 'status' || name.endsWith('_status') ? badge(String(value)) : html`${valueTitle(String(value))}`
    case 'flag':
      return html`${value ? 'Yes' : 'No'}`
    case 'number':
      return number(numberText(name, Number(value)))
    case 'reference':
      return reference(visit, spec.relation!.noun, value)
    case 'references':
      return references(visit, spec.relation!.noun, value as unknown[], room)
    case 'collection':
      return html`${(value as unknown[]).length}`
    case 'address':
      return webAddress(String(value), room)
    case 'email':
      return room === 'line'
        ? html`<a href="mailto:${String(value)}">${breakable(String(value))}</a>`
        : breakable(String(value))
    case 'texts':
      return texts(value as unknown[], room)
    case 'structure':
      return structure(value, room, isPairs(spec.json))
    case 'rich':
      return room === 'cell' ? html`${shortened(plainText(String(value)), CELL_TEXT)}` : richText(String(value))
    default:
      return longOrShort(name, String(value), room)
  }
}

function numberText(name: string, value: number): string {
  if (name.endsWith('_ms')) return formatDuration(value)
  return name === 'size' ? bytesInWords(value) : formatNumber(value)
}

/** Shows an e-mail address that can wrap only before its `@`. */
function breakable(address: string): Page {
  const at = address.lastIndexOf('@')
  return at < 1 ? html`${address}` : html`${address.slice(0, at)}<wbr>${address.slice(at)}`
}

export function currencyOf(values: Values, { account }: Surroundings): string {
  return typeof values.currency === 'string' && values.currency.length === 3
    ? values.currency
    : account.default_currency
}

function emptyValue({ spec }: Field, room: Room): Page {
  const means = room === 'line' && spec.nullMeans !== 'none' ? spec.nullMeans : undefined
  if (means !== undefined && means.length <= SHORT_MEANING)
    return html`<span class="none">${sentenceCase(means)}</span>`
  const words = means === undefined ? 'None' : `None (${means})`
  return html`<span class="none"><span aria-hidden="true">–</span><span class="unseen">${words}</span></span>`
}

function shownMoment(timestamp: string, { account }: Surroundings, room: Room): Page {
  const words =
    room === 'cell' ? formatShortDay(timestamp, account.timezone) : formatMoment(timestamp, account.timezone)
  return html`<time datetime="${timestamp}" title="${formatMoment(timestamp, account.timezone)} (${account.timezone})">${words}</time>`
}

const GOOD = new Set([
  'active',
  'succeeded',
  'paid',
  'published',
  'complete',
  'completed',
  'delivered',
  'sent',
  'live',
  'connected',
  'ready',
  'applied',
  'ok',
  'filed',
  'subscribed',
  'verified',
  'enabled',
  'trialing',
  'won',
])
const BAD = new Set([
  'failed',
  'past_due',
  'disputed',
  'needs_response',
  'lost',
  'error',
  'expired',
  'unpaid',
  'rejected',
  'disabled',
  'uncollectible',
  'provider_error',
  'partially_failed',
  'refused',
  'outdated',
])
const WAITING = new Set([
  'pending',
  'open',
  'draft',
  'scheduled',
  'needs_input',
  'queued',
  'running',
  'paused',
  'incomplete',
  'processing',
  'publishing',
  'partially_refunded',
  'partial',
  'waiting',
  'pending_payment',
  'awaiting_payment',
  'submitted',
  'under_review',
])

export function badge(state: string): Page {
  const tone = GOOD.has(state) ? 'good' : BAD.has(state) ? 'bad' : WAITING.has(state) ? 'wait' : 'plain'
  return html`<span class="badge ${tone}">${valueTitle(state)}</span>`
}

/** Links to a resource, by its name if the value is expanded. */
export function reference(visit: Surroundings, noun: string, value: unknown): Page {
  const whole = typeof value === 'object' && value !== null ? (value as Values) : null
  const id = whole ? String(whole.id ?? '') : String(value)
  const name = whole ? nameOf(whole) : ''
  const isNamed = name !== '' && name !== shortId(id)
  const address = addressOf(visit, noun, id)
  if (address === null) return html`${isNamed ? name : shortId(id)}`
  return html`<a href="${address}">${isNamed ? name : `View ${calledOf(noun)}`}</a>`
}

function references(visit: Surroundings, noun: string, values: unknown[], room: Room): Page {
  if (values.length === 0) return html`<span class="none">None</span>`
  if (room === 'cell' && values.length > 2) return html`${values.length}`
  return html`${values.map((value, index) => html`${index > 0 ? ', ' : ''}${reference(visit, noun, value)}`)}`
}

function webAddress(address: string, room: Room): Page {
  if (!/^https?:\/\//i.test(address)) return html`<code>${address}</code>`
  const words = address.replace(/^https?:\/\//i, '')
  return html`<a href="${address}" rel="noreferrer noopener" target="_blank" data-turbo="false">${room === 'cell' ? shortened(words, 40) : words}</a>`
}

function texts(values: unknown[], room: Room): Page {
  if (values.length === 0) return html`<span class="none">None</span>`
  const joined = values.map(String).join(', ')
  return html`${room === 'cell' ? shortened(joined, CELL_TEXT) : joined}`
}

/** Sanitizes a merchant's HTML again, because not all of it was checked by an operation. */
export function richText(text: string): Page {
  return html`<div class="rich">${raw(safeHtml(text))}</div>`
}

function structure(value: unknown, room: Room, pairs: boolean): Page {
  const entries = Array.isArray(value) ? value : Object.values(value as object).filter((one) => one !== null)
  if (entries.length === 0) return html`<span class="none">None</span>`
  if (room === 'cell') return html`${entries.length}`
  return pairs ? named(value as Values, (key) => key) : nestedValue(value)
}

/** Shows a list line by line and an object by field, without the keys that only software clients need. */
function nestedValue(value: unknown): Page {
  if (value === null || value === undefined || value === '') return html`<span class="none">None</span>`
  if (typeof value === 'boolean') return html`${value ? 'Yes' : 'No'}`
  if (Array.isArray(value)) {
    if (value.every((one) => typeof one !== 'object')) return html`${value.join(', ')}`
    return html`<ol class="listed">${value.map((one) => html`<li>${nestedValue(one)}</li>`)}</ol>`
  }
  if (typeof value !== 'object') return html`${String(value)}`
  const shown = Object.entries(value)
    .filter(([key, one]) => !['id', 'object', 'position', 'metadata'].includes(key) && one !== null)
    .map(([key, one]) => [key, typeof one === 'string' ? (PART_WORDS.get(key)?.(one) ?? one) : one] as const)
  return named(Object.fromEntries(shown), fieldTitle)
}

const PART_WORDS = new Map([
  ['type', valueTitle],
  ['country', countryName],
])

function named(values: Values, wordsOf: (key: string) => string): Page {
  return factList(
    'pairs',
    Object.entries(values).map(([key, one]): Fact => [wordsOf(key), nestedValue(one)]),
  )
}

function longOrShort(name: string, text: string, room: Room): Page {
  if (room === 'cell') return html`${shortened(text, CELL_TEXT)}`
  if (name === 'currency') return html`${currencyCode(text)}`
  if (name === 'id' || name.endsWith('_id')) return html`<code>${text}</code>`
  if (text.length <= 200 && !text.includes('\n')) return html`${text}`
  if (text.length <= LINE_TEXT) return html`<div class="prose">${text}</div>`
  return html`<details><summary>${shortened(text, 200)}</summary><div class="prose">${text}</div></details>`
}

/** Shows long text in a box that scrolls and that the keyboard can reach. */
export function code(text: string, label = 'Text'): Page {
  return html`<pre class="code" tabindex="0" role="group" aria-label="${label}"><code>${text}</code></pre>`
}

/** Renders a number so that digits align in columns. */
export function number(words: unknown): Page {
  return html`<span class="number">${words}</span>`
}

export function rowLink(address: string, words: unknown): Page {
  return html`<a class="row-link" href="${address}">${words}</a>`
}

export function shortMoment({ timezone }: Pick<Shown<'account'>, 'timezone'>, at: string): Page {
  return html`<time class="number" datetime="${at}">${formatMoment(at, timezone)}</time>`
}

/** Shows a time to the second in the account's time zone, or the text `none` if there is no time. */
export function moment({ account }: DashboardContext, timestamp: unknown, none = 'Never'): Page {
  if (typeof timestamp !== 'string') return html`<span class="none">${none}</span>`
  return html`<time datetime="${timestamp}" title="${account.timezone}">${formatExactMoment(timestamp, account.timezone)}</time>`
}
