import type { FieldErrors } from '../../contract/declarations/errors.ts'
import type { Sheet, SheetItem } from '../../resources/sales/checkout/sheet.ts'
import { withUtcMoments } from '../../words/moments.ts'
import { formatMoney } from '../../words/money.ts'
import { amountExamples } from '../../words/money-input.ts'
import { sentenceCase } from '../../words/sentences.ts'
import type { Problem } from '../parts/problem.ts'

export const quantityField = (priceId: string) => `quantity-${priceId}`
export const amountField = (priceId: string) => `amount-${priceId}`

/** The problems of a form, from the refusals of rules by their field. */
export function problemsOf(errors: FieldErrors, sheet: Sheet): Problem[] {
  const problems = Object.entries(errors)
    .flatMap(([field, [message]]) => problemOf(field, message ?? '', sheet))
    .toSorted((one, other) => placeOf(one) - placeOf(other))
  // Two refusals of one line say the same to its buyer.
  return problems.filter(
    (one, index) => problems.findIndex((other) => other.field === one.field && other.message === one.message) === index,
  )
}

/** The fields in the order of the page; the cart comes first. */
const PLACES = ['code', 'email', 'name', 'place', 'vat_id', 'card']

function placeOf({ field }: Problem): number {
  return field === null ? -1 : PLACES.indexOf(field) + 1
}

function problemOf(field: string, message: string, sheet: Sheet): Problem[] {
  const of = (id: string | null, words: string): Problem[] => [{ field: id, message: words }]
  const [head = '', key = '', part] = field.split('.')
  switch (head) {
    case 'email':
      return of('email', emailWords(message))
    case 'name':
      return of('name', `The name ${message}.`)
    case 'card':
      return of(
        'card',
        message === "can't be blank" ? 'Enter a card number.' : 'This is not one of the test cards below.',
      )
    case 'country':
    case 'region':
      return of('place', 'Choose your country.')
    case 'vat_id':
      return of('vat_id', `This VAT ID ${message}.`)
    case 'discount_code':
      return of('code', `This code ${withUtcMoments(message)}.`)
    case 'amount':
      return key === ''
        ? missingAmounts(sheet)
        : of(amountField(key), `Enter an amount such as ${amountExamples(sheet.currency)}.`)
    case 'quantity':
      return of(quantityField(key), 'Enter a whole number.')
    case 'line_items':
      return ofLine(sheet.items[Number(key)], part, message)
    default:
      return of(null, `${sentenceCase(message)}.`)
  }
}

function emailWords(message: string): string {
  if (message === "can't be blank") return 'Enter your e-mail address.'
  if (message === 'is not a valid e-mail address') return 'Enter an e-mail address such as name@example.com.'
  return `The e-mail address ${message}.`
}

/** A refusal of one line, or of the whole cart. */
function ofLine(item: SheetItem | undefined, part: string | undefined, message: string): Problem[] {
  if (!item || part === undefined) return [{ field: null, message: `The items ${message}.` }]
  const { line } = item
  if (part === 'quantity') return [{ field: quantityField(line.price_variant), message: `The quantity ${message}.` }]
  if (part === 'amount') return [{ field: amountField(line.price_variant), message: boundsWords(item) }]
  return unavailable(item, message)
}

function missingAmounts({ items }: Sheet): Problem[] {
  return items
    .filter(({ line }) => line.unit_amount === null)
    .map((item) => ({ field: amountField(item.line.price_variant), message: boundsWords(item) }))
}

/** What stands in the way of buying the items as they are now. */
export function unavailableItems({ items }: Sheet): Problem[] {
  return items.flatMap((item) => (item.problem === null ? [] : unavailable(item, item.problem)))
}

function unavailable({ line, changesQuantity }: SheetItem, problem: string): Problem[] {
  const field = changesQuantity ? quantityField(line.price_variant) : null
  return [{ field, message: `${line.product_name} ${withUtcMoments(problem)}.` }]
}

/** `Enter an amount: from $5.00 to $100.00.` */
function boundsWords({ line }: SheetItem): string {
  return `Enter an amount: ${boundsOf(line)}.`
}

/** `from $5.00 to $100.00` */
export function boundsOf({ custom, currency }: SheetItem['line']): string {
  const { minimum, maximum } = custom ?? { minimum: null, maximum: null }
  const [least, most] = [minimum, maximum].map((bound) => (bound ? formatMoney(bound, currency) : null))
  if (least && most) return `from ${least} to ${most}`
  if (least) return `${least} or more`
  return most ? `up to ${most}` : 'any amount'
}
