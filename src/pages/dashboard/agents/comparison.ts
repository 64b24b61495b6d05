import { html } from 'hono/html'
import type { Noun } from '../../../contract/declarations/noun.ts'
import { isPlainObject } from '../../../contract/values/json.ts'
import { counted } from '../../../format/counts.ts'
import { listed } from '../../../format/lists.ts'
import { formatMoneyChange } from '../../../format/money.ts'
import { formatNumber, formatPercentChange } from '../../../format/numbers.ts'
import { sentenceCase } from '../../../format/sentences.ts'
import type { ValueOf } from '../../../records/dashboard-read.ts'
import type {
  ChangeGroup,
  ComparedChange,
  ComparedField,
  MovedAmounts,
} from '../../../resources/dashboard/plan-comparison/compare.ts'
import type { planComparison } from '../../../resources/dashboard/plan-comparison/plan-comparison.ts'
import { type Fact, factList, type Page } from '../../parts/markup.ts'
import { shownValue } from '../kit/value.ts'
import { addressOf, type Surroundings } from '../kit/visit.ts'
import { calledOf, fieldTitle, shortened, shortId } from '../kit/words.ts'
import { happening } from './words.ts'

export type Comparison = ValueOf<typeof planComparison>

/** Returns the currency of a changed field, or null if the field is not an amount. `key` is an event type, a space and an id. */
export function currencyIn({ groups }: Comparison, key: string, field: string): string | null {
  const [event, id] = [key.slice(0, key.indexOf(' ')), key.slice(key.indexOf(' ') + 1)]
  const change = groups.find((group) => group.event === event)?.changes.find((one) => one.id === id)
  return change?.fields.find(({ name }) => name === field)?.money ? change.currency : null
}

/** The number of a new resource's fields that are shown without unfolding. */
const SHOWN_FIELDS = 5

interface ComparisonOptions {
  allAddress: string
  /** Whether the plan can no longer be applied, for example because it expired. */
  isOff: boolean
}

export function comparisonOf(visit: Surroundings, { groups, names }: Comparison, options: ComparisonOptions): Page {
  return html`${groups.map((group) => groupOf(visit, group, names, options))}`
}

function groupOf(
  visit: Surroundings,
  group: ChangeGroup,
  names: Comparison['names'],
  { allAddress, isOff }: ComparisonOptions,
): Page {
  const { event, count, kind, changes, moved } = group
  const left = count - changes.length
  const id = `group-${event.replaceAll('.', '-')}`
  return html`<section class="change-group ${kind ?? 'other'}" aria-labelledby="${id}">
<h2 id="${id}"><span class="sign" aria-hidden="true">${SIGNS[kind ?? 'other']}</span>${sentenceCase(happening(event, count))}</h2>
${(count > 1 ? moved : []).map((amounts) => html`<p class="moved">${movedWords(amounts, count)}</p>`)}
<ul class="changes">${changes.map((change) => html`<li>${changeOf({ visit, noun: visit.parts.pipeline.presenter.findNoun(group.object), change, names }, group, isOff)}</li>`)}</ul>
${left > 0 ? html`<p class="more"><a href="${allAddress}">Show all ${formatNumber(count)}</a></p>` : ''}
</section>`
}

const SIGNS = { deleted: '−', updated: '~', created: '+', other: '·' }

/** Returns a line such as `Amount rises for 3 of 3: +$1.00 to +$3.00 (+10%)`. */
function movedWords({ field, currency, raised, lowered, least, most, ...percents }: MovedAmounts, count: number): Page {
  const ways = [
    ...(raised > 0 ? [`rises for ${formatNumber(raised)}`] : []),
    ...(lowered > 0 ? [`falls for ${formatNumber(lowered)}`] : []),
  ]
  const spread =
    least === most
      ? formatMoneyChange(most, currency)
      : `${formatMoneyChange(least, currency)} to ${formatMoneyChange(most, currency)}`
  const { least_percent: low, most_percent: high } = percents
  const share =
    low === null || high === null
      ? ''
      : ` (${formatPercentChange(low) === formatPercentChange(high) ? formatPercentChange(low) : `${formatPercentChange(low)} to ${formatPercentChange(high)}`})`
  return html`<strong>${fieldTitle(field)}</strong> ${listed(ways)} of ${formatNumber(count)}: <strong class="number">${spread}</strong>${share}`
}

function changeOf(shower: ValueContext, { kind, object }: ChangeGroup, isOff: boolean): Page {
  const { visit, change, names } = shower
  const wholes = change.part_of.map(
    (whole) => html` <span class="of">of ${thing({ visit, names }, whole.object, whole.id)}</span>`,
  )
  const known = { ...names, ...(change.label !== null && { [change.id]: change.label }) }
  const name =
    kind === 'deleted'
      ? html`<del>${thing({ visit, names: known }, object, change.id)}</del>`
      : thing({ visit, names: known }, object, change.id)
  return html`<p class="change-name"><strong>${name}</strong>${wholes}${kind === 'deleted' && !isOff ? html` <span class="of">permanently deleted</span>` : ''}</p>
${kind === 'updated' ? updated(shower) : kind === 'created' ? created(shower) : ''}`
}

function updated(shower: ValueContext): Page {
  const { fields } = shower.change
  const [own, following] = [fields.filter(({ follows }) => !follows), fields.filter(({ follows }) => follows)]
  if (own.length === 0) return changedFields(following, (field) => step(shower, field))
  return html`${changedFields(own, (field) => step(shower, field))}${folded(following, 'resulting changes', (field) => step(shower, field))}`
}

function created(shower: ValueContext): Page {
  const { noun, change } = shower
  const isCounter = (name: string, to: unknown) => to === 0 && noun?.fields[name]?.spec.write === 'never'
  const told = change.fields
    .filter(({ name, to, follows }) => !follows && to !== change.label && !isCounter(name, to))
    .toSorted((one, other) => sortRank(one) - sortRank(other))
  const show = (field: ComparedField) => comparedValue(shower, field, field.to)
  return html`${changedFields(told.slice(0, SHOWN_FIELDS), show)}${folded(told.slice(SHOWN_FIELDS), 'more', show)}`
}

function sortRank({ money, to }: ComparedField): number {
  if (money) return 0
  return typeof to === 'string' ? 1 : 2
}

function changedFields(fields: ComparedField[], show: (field: ComparedField) => Page): Page {
  if (fields.length === 0) return html``
  const facts = fields.map((field): Fact => {
    const kind = field.money ? 'money' : ''
    return [fieldTitle(field.name), show(field), { kind }]
  })
  return factList('change-fields', facts)
}

function folded(fields: ComparedField[], words: string, show: (field: ComparedField) => Page): Page {
  if (fields.length === 0) return html``
  return html`<details class="folded"><summary>${counted(fields.length, 'field')} ${words}</summary>${changedFields(fields, show)}</details>`
}

/** The number of unchanged characters shown on each side of a marked difference. */
const CONTEXT = 60

interface ValueContext {
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
function comparedValue(shower: ValueContext, { name }: ComparedField, value: unknown): Page {
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
function thing({ visit, names }: Pick<ValueContext, 'visit' | 'names'>, object: string, id: string): Page {
  if (id.startsWith('#')) return html`${names[id] ?? `the new ${calledOf(object)}`}`
  const words = names[id] ?? shortId(id)
  const address = addressOf(visit, object, id)
  return address === null ? html`${words}` : html`<a href="${address}">${words}</a>`
}

function step(shower: ValueContext, field: ComparedField): Page {
  const { from, to } = field
  const target = shower.noun?.fields[field.name]?.spec.relation?.noun
  if (target !== undefined && Array.isArray(from) && Array.isArray(to))
    return setChange(
      from.filter((id) => !to.includes(id)),
      to.filter((id) => !from.includes(id)),
      (id) => thing(shower, target, String(id)),
    )
  if (isPlainObject(from) && isPlainObject(to)) return mapChange(from, to)
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

function textChange(from: string, to: string): Page {
  const diff = textDiff(from, to)
  const [old, fresh] = [shortened(diff.old, MOST_TEXT), shortened(diff.new, MOST_TEXT)]
  return html`<span class="in-text">${diff.start}${old === '' ? '' : html`<del>${old}</del>`}${fresh === '' ? '' : html`<ins>${fresh}</ins>`}${diff.end}</span>`
}

/** Returns the change of an amount, such as `+$1.00, +10%`. */
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
