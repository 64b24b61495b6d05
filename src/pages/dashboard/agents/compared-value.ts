import { html } from 'hono/html'
import type { Noun } from '../../../contract/declarations/noun.ts'
import { formatMoneyChange } from '../../../format/money.ts'
import { formatPercentChange } from '../../../format/numbers.ts'
import type { ComparedChange, ComparedField } from '../../../resources/dashboard/plan-comparison/compare.ts'
import type { Page } from '../../parts/markup.ts'
import { shownValue } from '../kit/value.ts'
import { addressOf, type Surroundings } from '../kit/visit.ts'
import { calledOf, shortened, shortId } from '../kit/words.ts'

/** The number of unchanged characters shown on each side of a marked difference. */
const CONTEXT = 60

export interface ValueContext {
  visit: Surroundings
  noun: Noun | undefined
  change: ComparedChange
  /** Names of resources by id. */
  names: Record<string, string>
}

/** Longer texts are shown once with their differences marked; shorter texts are shown twice, before and after. */
const LONG_TEXT = 25
const MOST_TEXT = 400

/** Shows amounts as money and ids as the names of their resources. */
export function comparedValue(shower: ValueContext, { name }: ComparedField, value: unknown): Page {
  const isEmpty = value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
  if (isEmpty) return html`<span class="none">nothing</span>`
  const { visit, noun, change } = shower
  const field = noun?.fields[name]
  const target = field?.spec.relation?.noun
  if (target !== undefined) return references(shower, target, [value].flat())
  if (typeof value === 'string' && value.length > MOST_TEXT) return html`${shortened(value, MOST_TEXT)}`
  if (isTexts(value)) return html`${shortened(value.join(', '), MOST_TEXT)}`
  if (!field || typeof value === 'object') return html`<code>${shortened(JSON.stringify(value), MOST_TEXT)}</code>`
  const values = { [name]: value, currency: change.currency ?? visit.account.default_currency }
  return shownValue({ visit, field, name, values, room: 'line' })
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}

function references(shower: ValueContext, target: string, ids: unknown[]): Page {
  if (ids.length === 0) return html`<span class="none">nothing</span>`
  return html`${ids.map((id, index) => html`${index > 0 ? ', ' : ''}${thing(shower, target, String(id))}`)}`
}

/** Shows a resource's name. Ids that begin with `#` belong to resources that the plan would create. */
export function thing({ visit, names }: Pick<ValueContext, 'visit' | 'names'>, object: string, id: string): Page {
  if (id.startsWith('#')) return html`${names[id] ?? `the new ${calledOf(object)}`}`
  const words = names[id] ?? shortId(id)
  const address = addressOf(visit, object, id)
  return address === null ? html`${words}` : html`<a href="${address}">${words}</a>`
}

export function step(shower: ValueContext, field: ComparedField): Page {
  const { from, to } = field
  const target = shower.noun?.fields[field.name]?.spec.relation?.noun
  if (target !== undefined && Array.isArray(from) && Array.isArray(to))
    return setChange(
      from.filter((id) => !to.includes(id)),
      to.filter((id) => !from.includes(id)),
      (id) => thing(shower, target, String(id)),
    )
  if (isPlain(from) && isPlain(to)) return mapChange(from, to)
  if (typeof from === 'string' && typeof to === 'string' && Math.max(from.length, to.length) > LONG_TEXT)
    return textChange(from, to)
  return html`<del><span class="unseen">from </span>${comparedValue(shower, field, from)}</del> <span class="arrow" aria-hidden="true">→</span> <ins><span class="unseen">to </span>${comparedValue(shower, field, to)}</ins>${amountChange(shower, field)}`
}

function setChange(lost: unknown[], gained: unknown[], show: (one: unknown) => Page): Page {
  if (lost.length + gained.length === 0) return html`<span class="none">another order</span>`
  const words = [
    ...lost.map((one) => html`<del><span class="unseen">without </span>${show(one)}</del>`),
    ...gained.map(
      (one) => html`<ins><span aria-hidden="true">+ </span><span class="unseen">with </span>${show(one)}</ins>`,
    ),
  ]
  return html`<span class="taken">${words.map((one, index) => html`${index > 0 ? ' ' : ''}${one}`)}</span>`
}

function mapChange(from: Record<string, unknown>, to: Record<string, unknown>): Page {
  const keys = [...new Set([...Object.keys(from), ...Object.keys(to)])]
  const differing = keys.filter((key) => JSON.stringify(from[key]) !== JSON.stringify(to[key]))
  return html`${differing.map(
    (key) =>
      html`<span class="plan-entry">${key}: ${key in from ? html`<del>${plainText(from[key])}</del> <span class="arrow" aria-hidden="true">→</span> ` : ''}<ins>${key in to ? plainText(to[key]) : 'nothing'}</ins></span>`,
  )}`
}

function plainText(value: unknown): string {
  return shortened(typeof value === 'string' ? value : JSON.stringify(value), MOST_TEXT)
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function textChange(from: string, to: string): Page {
  const diff = textDiff(from, to)
  const [old, fresh] = [shortened(diff.old, MOST_TEXT), shortened(diff.new, MOST_TEXT)]
  return html`<span class="in-text">${diff.start}${old === '' ? '' : html`<del>${old}</del>`}${fresh === '' ? '' : html`<ins>${fresh}</ins>`}${diff.end}</span>`
}

/** Returns the change of an amount, such as `+$1.00 (+10%)`. */
function amountChange({ change, visit }: ValueContext, { money, from, to }: ComparedField): Page {
  if (!money || typeof from !== 'number' || typeof to !== 'number' || from === to) return html``
  const currency = change.currency ?? visit.account.default_currency
  const percent = from === 0 ? '' : `, ${formatPercentChange(((to - from) / from) * 100)}`
  return html` <span class="delta ${to > from ? 'up' : 'down'}">${formatMoneyChange(to - from, currency)}${percent}</span>`
}

interface TextDiff {
  start: string
  old: string
  new: string
  end: string
}

/** Finds the words that differ between two texts, and shortens the common start and end. */
export function textDiff(before: string, after: string): TextDiff {
  const [left, right] = [wordsOf(before), wordsOf(after)]
  const most = Math.min(left.length, right.length)
  let start = 0
  while (start < most && left[start] === right[start]) start++
  let end = 0
  while (end < most - start && left.at(-1 - end) === right.at(-1 - end)) end++
  return {
    start: cutStart(left.slice(0, start).join('')),
    old: left.slice(start, left.length - end).join(''),
    new: right.slice(start, right.length - end).join(''),
    end: cutEnd(end === 0 ? '' : left.slice(-end).join('')),
  }
}

function wordsOf(text: string): string[] {
  return text.split(/(\s+|[.,;:!?](?=\s|$))/)
}

function cutStart(text: string): string {
  return text.length > CONTEXT ? `…${text.slice(-CONTEXT)}` : text
}

function cutEnd(text: string): string {
  return text.length > CONTEXT ? `${text.slice(0, CONTEXT)}…` : text
}
