import { html } from 'hono/html'
import { counted } from '../../../format/counts.ts'
import { listed } from '../../../format/lists.ts'
import { formatMoneyChange } from '../../../format/money.ts'
import { formatNumber, formatPercentChange } from '../../../format/numbers.ts'
import { sentenceCase } from '../../../format/sentences.ts'
import type { ValueOf } from '../../../records/dashboard-read.ts'
import type { ChangeGroup, ComparedField, MovedAmounts } from '../../../resources/dashboard/plan-comparison/compare.ts'
import type { planComparison } from '../../../resources/dashboard/plan-comparison/plan-comparison.ts'
import { type Fact, factList, type Page } from '../../parts/markup.ts'
import type { Surroundings } from '../kit/visit.ts'
import { fieldTitle } from '../kit/words.ts'
import { comparedValue, step, thing, type ValueContext } from './compared-value.ts'
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

/** Returns a sentence such as `Amount rises for 3 of 3, by $1.00 to $3.00 (+10%).` */
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
