import type { Fields } from '../../../../contract/declarations/field.ts'
import { UNNAMED } from '../../../../resources/catalog/price-variant/price-variant.ts'
import { inputText } from '../../derived/inputs.ts'
import type { Values } from '../../kit/call.ts'
import type { DashboardContext } from '../../kit/visit.ts'
import { kindNamed } from '../price-kind.ts'

export const MOST_ROWS = 20

/** The form field that lists the rows for prices in order, by their marks: `0` for the inputs `price.0.…`. */
const ROWS = 'price_rows'
/** The form field with the ids of removed prices. */
const REMOVED = 'price_removed'

export function rowPrefix(mark: string): string {
  return `price.${mark}.`
}

export const CODE = 'code.'
/** The prefix of the alternative texts' input names. The file's id follows. */
export const ALT = 'alt.'

export function rowsOf(form: URLSearchParams): string[] {
  const marks = (form.get(ROWS) ?? '').split(' ').filter((mark) => /^\d{1,3}$/.test(mark))
  return [...new Set(marks)].slice(0, MOST_ROWS)
}

export function removedIn(form: URLSearchParams): string[] {
  return (form.get(REMOVED) ?? '').split(' ').filter(Boolean).slice(0, MOST_ROWS)
}

function isBlank(form: URLSearchParams, mark: string): boolean {
  const own = partOf(form, rowPrefix(mark))
  if (own.get('id') || own.get('kind') === 'free') return false
  return ![...own].some(([name, value]) => value.trim() !== '' && !CHOSEN_AT_FIRST.has(name))
}

/** The fields that have a value even in an untouched row. */
const CHOSEN_AT_FIRST = new Set(['kind', 'currency', 'hidden', 'recurring_interval'])

/** Returns the rows to save. Publishing keeps one row even if it is empty, because an active product needs a price. */
export function keptRows(form: URLSearchParams): string[] {
  const marks = rowsOf(form)
  const filled = marks.filter((mark) => !isBlank(form, mark))
  return filled.length === 0 && form.get('do') === 'publish' ? marks.slice(0, 1) : filled
}

/** Returns whether rows were moved. Marks ascend in the saved order, and new rows come last. */
export function areMoved(marks: readonly string[]): boolean {
  return marks.some((mark, index) => index > 0 && Number(mark) < Number(marks[index - 1]))
}

export function rowInputs(form: URLSearchParams): [name: string, value: string][] {
  return [
    [ROWS, rowsOf(form).join(' ')],
    [REMOVED, removedIn(form).join(' ')],
  ]
}

/** Returns the inputs whose names begin with a prefix, under names without the prefix. */
export function partOf(form: URLSearchParams, prefix: string): URLSearchParams {
  const own = [...form].filter(([name]) => name.startsWith(prefix))
  return new URLSearchParams(own.map(([name, value]) => [name.slice(prefix.length), value]))
}

/** Applies `add price`, `remove price 2`, `earlier price 2`, `later price 2` or, after rows were dragged, `order price`; else null. */
export function withRows(form: URLSearchParams, change: string): URLSearchParams | null {
  const [verb, what, mark = ''] = change.split(' ')
  if (what !== 'price') return null
  const marks = rowsOf(form)
  const changed = new URLSearchParams(form)
  if (verb === 'add' && marks.length < MOST_ROWS) addRow(changed, marks)
  if (verb === 'remove') removeRow(changed, marks, mark)
  if (verb === 'earlier' || verb === 'later')
    changed.set(ROWS, moved(marks, mark, verb === 'earlier' ? -1 : 1).join(' '))
  return changed
}

function moved(marks: string[], mark: string, by: -1 | 1): string[] {
  const at = marks.indexOf(mark)
  const to = at + by
  if (at < 0 || to < 0 || to >= marks.length) return marks
  return marks.toSpliced(at, 1).toSpliced(to, 0, mark)
}

function addRow(form: URLSearchParams, marks: string[]): void {
  const next = String(Math.max(-1, ...marks.map(Number)) + 1)
  const before = marks.at(-1)
  form.set(ROWS, [...marks, next].join(' '))
  form.set(`${rowPrefix(next)}kind`, 'once')
  form.set(`${rowPrefix(next)}recurring_interval`, 'month')
  if (before !== undefined) form.set(`${rowPrefix(next)}currency`, form.get(`${rowPrefix(before)}currency`) ?? '')
  form.set('added', next)
}

function removeRow(form: URLSearchParams, marks: string[], mark: string): void {
  const id = form.get(`${rowPrefix(mark)}id`)
  form.set(ROWS, marks.filter((one) => one !== mark).join(' '))
  if (id) form.set(REMOVED, [...removedIn(form), id].join(' '))
  for (const name of [...form.keys()]) if (name.startsWith(rowPrefix(mark))) form.delete(name)
}

function fill(
  form: URLSearchParams,
  visit: DashboardContext,
  { fields, values, prefix }: { fields: Fields; values: Values; prefix: string },
): void {
  for (const [name, field] of Object.entries(fields)) {
    const text = inputText(visit, field, values[name], values)
    for (const line of field.spec.relation?.kind === 'many' ? text.split('\n') : [text])
      form.append(prefix + name, line)
  }
}

export function filledForm(
  visit: DashboardContext,
  { product, prices }: { product: Values; prices: readonly Values[] },
  fields: { product: Fields; price: Fields },
): URLSearchParams {
  const form = new URLSearchParams()
  fill(form, visit, { fields: fields.product, values: product, prefix: '' })
  for (const [index, price] of prices.entries()) {
    const prefix = rowPrefix(String(index))
    fill(form, visit, { fields: fields.price, values: price, prefix })
    if (price.name === UNNAMED) form.set(`${prefix}name`, '')
    form.set(`${prefix}id`, String(price.id))
    form.set(`${prefix}kind`, kindNamed(String(price.billing_type), String(price.amount_type)).kind)
  }
  form.set(ROWS, [...prices.keys()].join(' '))
  return form
}

export function emptyForm({ account }: DashboardContext): URLSearchParams {
  return new URLSearchParams({
    [ROWS]: '0',
    [`${rowPrefix('0')}kind`]: 'once',
    [`${rowPrefix('0')}recurring_interval`]: 'month',
    [`${rowPrefix('0')}currency`]: account.default_currency,
  })
}
