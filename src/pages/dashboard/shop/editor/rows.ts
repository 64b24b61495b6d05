import type { Fields } from '../../../../contract/declarations/field.ts'
import { UNNAMED } from '../../../../resources/catalog/price_variant/price_variant.ts'
import { inputText } from '../../derived/inputs.ts'
import type { Values } from '../../kit/ask.ts'
import type { Visit } from '../../kit/visit.ts'
import { kindNamed } from '../price-kind.ts'

export const MOST_ROWS = 20

/** The names of the rows of prices that a form has, in their order. */
const ROWS = 'price_rows'
/** Ids of prices that were taken out of the form. */
const REMOVED = 'price_removed'

/** What the inputs of a row are called begins with it: `price.0.amount`. */
export function rowPrefix(mark: string): string {
  return `price.${mark}.`
}

/** What the inputs of the discount code are called begins with it. */
export const CODE = 'code.'
/** What the alternative texts of pictures are called begins with it; the id of the file follows. */
export const ALT = 'alt.'

export function rowsOf(form: URLSearchParams): string[] {
  const marks = (form.get(ROWS) ?? '').split(' ').filter((mark) => /^\d{1,3}$/.test(mark))
  return [...new Set(marks)].slice(0, MOST_ROWS)
}

export function removedIn(form: URLSearchParams): string[] {
  return (form.get(REMOVED) ?? '').split(' ').filter(Boolean).slice(0, MOST_ROWS)
}

/** Whether nobody has filled in a new row. */
function isBlank(form: URLSearchParams, mark: string): boolean {
  const own = partOf(form, rowPrefix(mark))
  if (own.get('id') || own.get('kind') === 'free') return false
  return ![...own].some(([name, value]) => value.trim() !== '' && !CHOSEN_AT_FIRST.has(name))
}

/** What a new row holds without anybody having touched it. */
const CHOSEN_AT_FIRST = new Set(['kind', 'currency', 'hidden', 'recurring_interval'])

/** The rows that are to be kept: what is on sale has a price, and otherwise a row that nobody filled in is none. */
export function keptRows(form: URLSearchParams): string[] {
  const marks = rowsOf(form)
  const filled = marks.filter((mark) => !isBlank(form, mark))
  return filled.length === 0 && form.get('do') === 'publish' ? marks.slice(0, 1) : filled
}

/** Whether somebody moved rows: they are numbered in the order that the prices had, and new ones come last. */
export function areMoved(marks: readonly string[]): boolean {
  return marks.some((mark, index) => index > 0 && Number(mark) < Number(marks[index - 1]))
}

export function rowInputs(form: URLSearchParams): [name: string, value: string][] {
  return [
    [ROWS, rowsOf(form).join(' ')],
    [REMOVED, removedIn(form).join(' ')],
  ]
}

/** The inputs of a form whose names begin with a prefix, without it. */
export function partOf(form: URLSearchParams, prefix: string): URLSearchParams {
  const own = [...form].filter(([name]) => name.startsWith(prefix))
  return new URLSearchParams(own.map(([name, value]) => [name.slice(prefix.length), value]))
}

/**
 * A form with one more row, without one, or with one moved: `add price`, `remove price 2`, `earlier price 2`; null where it asks
 * for nothing of rows. `order price` shows rows anew that a script has moved.
 */
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

/** A new row takes the currency of the one before it. */
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

/** What the inputs of some fields hold for a thing as it is. */
function fill(
  form: URLSearchParams,
  visit: Visit,
  { fields, values, prefix }: { fields: Fields; values: Values; prefix: string },
): void {
  for (const [name, field] of Object.entries(fields)) {
    const text = inputText(visit, field, values[name], values)
    for (const line of field.spec.relation?.kind === 'many' ? text.split('\n') : [text])
      form.append(prefix + name, line)
  }
}

export function filledForm(
  visit: Visit,
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

export function emptyForm({ account }: Visit): URLSearchParams {
  return new URLSearchParams({
    [ROWS]: '0',
    [`${rowPrefix('0')}kind`]: 'once',
    [`${rowPrefix('0')}recurring_interval`]: 'month',
    [`${rowPrefix('0')}currency`]: account.default_currency,
  })
}
