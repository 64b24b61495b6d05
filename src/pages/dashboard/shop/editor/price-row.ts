import { html } from 'hono/html'
import type { Fields } from '../../../../contract/declarations/field.ts'
import { everyInterval } from '../../../../format/intervals.ts'
import type { BodyFields } from '../../../../resources/operation-types.ts'
import type { Page } from '../../../parts/markup.ts'
import { CHANGE } from '../../derived/nested-form.ts'
import { inputId } from '../../derived/part-words.ts'
import { KINDS } from '../price-kind.ts'
import { type Sheet, sheetInput, sheetSelect, type WordsOf } from './inputs.ts'
import { MOST_ROWS, rowInputs, rowPrefix, rowsOf } from './rows.ts'

type PriceField = keyof BodyFields<'POST /price_variants'> & string

/** The fields of a price that are not folded, each with a CSS class that hides it for other kinds of prices. */
const FIRST = [
  ['name', ''],
  ['amount', 'for-fixed'],
  ['minimum_amount', 'for-custom'],
  ['preset_amount', 'for-custom'],
  ['currency', 'for-paid'],
  ['recurring_interval', 'for-subscription'],
] as const satisfies readonly (readonly [PriceField, string])[]

/** Fields that are folded, because few prices need them. */
const FOLDED = [
  ['interval_count', 'for-subscription'],
  ['trial_period_days', 'for-subscription'],
  ['setup_fee_amount', 'for-subscription'],
  ['installment_count', 'for-subscription'],
  ['maximum_amount', 'for-custom'],
  ['discounted_from_amount', 'for-fixed'],
  ['quantity_available', ''],
  ['benefits', ''],
  ['experiences', ''],
  ['revoke_after_days', ''],
  ['hidden', ''],
] as const satisfies readonly (readonly [PriceField, string])[]

export const PRICE_FIELDS: readonly PriceField[] = [
  ...FIRST.map(([name]) => name),
  ...FOLDED.map(([name]) => name),
  'billing_type',
  'amount_type',
]

const WORDS = {
  name: { label: 'Name of the price', optional: true },
  amount: { label: 'Price' },
  currency: { label: 'Currency' },
  recurring_interval: { label: 'Every' },
  minimum_amount: { label: 'Minimum', optional: true },
  preset_amount: { label: 'Suggested', optional: true },
  maximum_amount: { label: 'Maximum', optional: true },
  interval_count: { label: 'Number of intervals', hint: '3 with months is every quarter.', optional: true },
  trial_period_days: { label: 'Free trial days', optional: true },
  setup_fee_amount: { label: 'Setup fee', hint: 'Added to the first payment.', optional: true },
  installment_count: { label: 'Ends after', hint: 'Number of payments.', optional: true },
  discounted_from_amount: { label: 'Former price', hint: 'Shown struck through.', optional: true },
  quantity_available: { label: 'Stock', hint: 'Leave empty for unlimited.', optional: true },
  benefits: { label: 'Benefits', hint: 'What buyers get, one per line.', optional: true },
  experiences: { label: 'Access', hint: 'What buyers get access to.', optional: true },
  revoke_after_days: { label: 'Access ends after', hint: 'Days from the purchase.', optional: true },
  hidden: { label: 'Hidden', hint: 'Sold by its purchase link alone.' },
} satisfies WordsOf<PriceField>

export const PRICE_LABELS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(WORDS).map(([name, { label }]) => [name, label]),
)

export async function priceRows(sheet: Sheet, fields: Fields): Promise<Page> {
  const marks = rowsOf(sheet.form)
  const hidden = rowInputs(sheet.form).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )
  const rows = await Promise.all(marks.map((mark, index) => priceRow(sheet, fields, { mark, index, of: marks.length })))
  const add = html`<button class="small" name="${CHANGE}" value="add price" formnovalidate data-action="preview#change">Add ${marks.length > 0 ? 'another price' : 'a price'}</button>`
  const order = html`<p class="hint">Buyers see the prices in this order; the first is the default. Without a name, a price is called by what it costs.</p><button class="unseen" tabindex="-1" aria-hidden="true" name="${CHANGE}" value="order price" formnovalidate data-action="preview#change">Order</button>`
  return html`${hidden}${marks.length > 1 ? order : ''}<div data-controller="drag" data-action="dragstart->drag#begin dragover->drag#over drop->drag#drop dragend->drag#end">${rows}</div>${marks.length < MOST_ROWS ? add : ''}`
}

interface RowPosition {
  mark: string
  index: number
  of: number
}

async function priceRow(sheet: Sheet, fields: Fields, { mark, index, of }: RowPosition): Promise<Page> {
  const { form, problems } = sheet
  const prefix = rowPrefix(mark)
  const words = of > 1 ? `Price ${index + 1}` : 'Price'
  const name = of > 1 ? nameIn(form, prefix) : ''
  const inputs = (which: typeof FIRST | typeof FOLDED) =>
    Promise.all(
      which.map(
        async ([name, when]) =>
          html`<div class="${when}">${await sheetInput(sheet, fields[name], prefix + name, WORDS[name])}</div>`,
      ),
    )
  const id = form.get(`${prefix}id`)
  const kinds = KINDS.map(({ kind, words: said }) => [kind, said] as const)
  const isWrong = FOLDED.some(([name]) => problems.some(({ field }) => field === inputId(prefix + name)))
  const isAdded = form.get('added') === mark
  const [first, folded] = [await inputs(FIRST), await inputs(FOLDED)]
  return html`<fieldset class="price-row" id="${inputId(`${prefix}row`)}" data-mark="${mark}"${isAdded ? html` tabindex="-1" autofocus` : ''}><legend>${words}${name === '' ? '' : html`: <span class="price-name">${name}</span>`}</legend>
${id ? html`<input type="hidden" name="${prefix}id" value="${id}">` : ''}
<div class="price-inputs"><div>${sheetSelect(sheet, `${prefix}kind`, 'Type', kinds)}</div>${first}</div>
<details class="others"${isWrong ? html` open` : ''}><summary>Trial, fee, stock and access</summary><div class="price-inputs">${folded}</div></details>
<div class="row-tools">${of > 1 ? moves({ mark, index, of }, words) : ''}<button class="small quiet" name="${CHANGE}" value="remove price ${mark}" formnovalidate data-action="preview#change">Remove<span class="unseen"> ${words.toLowerCase()}</span></button></div></fieldset>`
}

/** Renders the buttons that move a price. At either end, a button is only marked as disabled, so that it keeps the focus. */
function moves({ mark, index, of }: RowPosition, words: string): Page {
  const button = (verb: 'earlier' | 'later', sign: string, isEnd: boolean) =>
    html`<button class="small quiet" id="${verb}-price-${mark}" name="${CHANGE}" value="${verb} price ${mark}" formnovalidate data-action="preview#change"${isEnd ? html` aria-disabled="true"` : ''}><span aria-hidden="true">${sign}</span><span class="unseen">Move ${words.toLowerCase()} ${verb === 'earlier' ? 'up' : 'down'}</span></button>`
  return html`<span class="drag-handle" draggable="true" aria-hidden="true" data-drag-target="handle" hidden>⠿</span>${button('earlier', '↑', index === 0)}${button('later', '↓', index === of - 1)}`
}

/** Returns the price's name or, if it has none, its kind or amount. */
function nameIn(form: URLSearchParams, prefix: string): string {
  const of = (name: string) => (form.get(prefix + name) ?? '').trim()
  const kind = KINDS.find((one) => one.kind === of('kind'))
  if (of('name') !== '' || kind === undefined) return of('name')
  if (kind.amount !== 'fixed') return kind.words
  if (of('amount') === '') return ''
  const count = Number(of('interval_count') || 1)
  const interval = INTERVALS.find((one) => one === of('recurring_interval'))
  const rhythm =
    kind.billing === 'subscription' && interval ? ` ${everyInterval({ interval, interval_count: count })}` : ''
  return `${of('amount')} ${of('currency').toUpperCase()}${rhythm}`
}

const INTERVALS = ['day', 'week', 'month', 'year'] as const
