import type { FieldErrors } from '../../contract/declarations/errors.ts'
import { withUtcMoments } from '../../format/moments.ts'
import { formatMoney } from '../../format/money.ts'
import { inSentence } from '../../format/sentences.ts'
import type { Sheet, SheetItem } from '../../resources/sales/checkout/sheet.ts'
import type { Problem } from '../parts/markup.ts'
import { type Asked, EMAIL, problemOf, withoutJargon } from '../parts/problem-words.ts'
import { cardProblem } from './card.ts'

export const quantityField = (priceId: string) => `quantity-${priceId}`
export const amountField = (priceId: string) => `amount-${priceId}`

export function problemsOf(errors: FieldErrors, sheet: Sheet): Problem[] {
  const problems = Object.entries(errors)
    .flatMap(([field, [message = '']]) => problemsAt(field, message, sheet))
    .toSorted((one, other) => placeOf(one) - placeOf(other))
  // A message is shown once per field.
  return problems.filter(
    (one, index) => problems.findIndex((other) => other.field === one.field && other.message === one.message) === index,
  )
}

const FIELD_ORDER = ['code', 'email', 'name', 'place', 'vat_id', 'card']

function placeOf({ field }: Problem): number {
  return field === null ? -1 : FIELD_ORDER.indexOf(field) + 1
}

/** The fields outside of the cart, by their names in the errors of operations. */
const FIELDS_BY_NAME: ReadonlyMap<string, Asked> = new Map([
  ['email', EMAIL],
  ['name', { id: 'name', label: 'Name', kind: 'text' }],
  ['country', { id: 'place', label: 'Country', kind: 'choice', blank: 'Choose your country.' }],
  ['region', { id: 'place', label: 'Country', kind: 'choice', blank: 'Choose your country.' }],
  ['vat_id', { id: 'vat_id', label: 'VAT ID', kind: 'text' }],
  ['discount_code', { id: 'code', label: 'Discount code', kind: 'text' }],
  ['form', { id: null, label: 'The form', kind: 'text' }],
])

function problemsAt(field: string, given: string, sheet: Sheet): Problem[] {
  const [head = '', key = '', part] = field.split('.')
  const message = withUtcMoments(given)
  if (head === 'card') return [cardProblem(message === "can't be blank" ? undefined : message)]
  const asked = FIELDS_BY_NAME.get(head)
  if (asked) return [problemOf(asked, asked.kind === 'choice' ? "can't be blank" : message)]
  if (head === 'quantity') return [problemOf(quantityOf(key), message)]
  if (head === 'amount' && key !== '') return [problemOf({ id: amountField(key), ...amountOf(sheet) }, message)]
  if (head === 'amount') return sheet.items.filter(({ line }) => line.unit_amount === null).map(outOfBounds)
  if (head === 'line_items') return problemsOfLine(sheet.items[Number(key)], part, message)
  return [{ field: null, message: inSentence(withoutJargon(message)) }]
}

function quantityOf(price: string): Asked {
  return { id: quantityField(price), label: 'Quantity', kind: 'number' }
}

function amountOf({ currency }: Pick<Sheet, 'currency'>): Omit<Asked, 'id'> {
  return { label: 'Your price', kind: 'money', currency }
}

function problemsOfLine(item: SheetItem | undefined, part: string | undefined, message: string): Problem[] {
  if (!item || part === undefined) return [problemOf({ id: null, label: 'The cart', kind: 'text' }, message)]
  if (part === 'quantity') return [problemOf(quantityOf(item.line.price_variant), message)]
  return part === 'amount' ? [outOfBounds(item)] : unavailable(item, message)
}

export function unavailableItems({ items }: Sheet): Problem[] {
  return items.flatMap((item) => (item.problem === null ? [] : unavailable(item, item.problem)))
}

function unavailable({ line, changesQuantity }: SheetItem, problem: string): Problem[] {
  const id = changesQuantity ? quantityField(line.price_variant) : null
  return [problemOf({ id, label: line.product_name, kind: 'text' }, withUtcMoments(problem))]
}

function outOfBounds({ line }: SheetItem): Problem {
  return { field: amountField(line.price_variant), message: `Enter an amount: ${boundsOf(line)}.` }
}

export function boundsOf({ custom, currency }: SheetItem['line']): string {
  const { minimum, maximum } = custom ?? { minimum: null, maximum: null }
  const [least, most] = [minimum, maximum].map((bound) => (bound ? formatMoney(bound, currency) : null))
  if (least && most) return `from ${least} to ${most}`
  if (least) return `${least} or more`
  return most ? `up to ${most}` : 'any amount'
}
