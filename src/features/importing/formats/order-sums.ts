import { allocate } from '../../../resources/sales/allocation.ts'
import { taxRefunded } from '../../../resources/sales/checkout/tax/compute.ts'
import type { LineDraft, ListedLine } from './drafts.ts'

interface ListedOrder {
  lines: readonly ListedLine[]
  /** The paid total, including `tax` and `refunded`. */
  total: number
  tax: number
  refunded: number
  discount: number
}

/** The name of the line for amounts that no listed line contains: tips, duties, gift cards and manual changes. */
const OTHER_CHARGES = 'Other charges'

/**
 * Computes line amounts that add up exactly to the paid total. If the lines add up to less, the difference becomes an extra line;
 * if they add up to more, it becomes a discount.
 */
export function orderSums({ lines: listed, total, tax: given, refunded: back, discount: given_off }: ListedOrder) {
  const tax = Math.min(given, total)
  const goods = listed.reduce((sum, { unit_amount, quantity }) => sum + unit_amount * quantity, 0)
  const off = Math.min(given_off, goods)
  const tax_inclusive = tax > 0 && goods - off === total
  const added = tax_inclusive ? 0 : tax
  const rest = total - added - (goods - off)
  const lines = rest > 0 || listed.length === 0 ? [...listed, lineOf(OTHER_CHARGES, Math.max(rest, 0))] : listed
  const subtotal = goods + Math.max(rest, 0)
  const amount_discount = off + Math.max(-rest, 0)
  const refunded = Math.min(back, total)
  const settled = share(lines, { subtotal, amount_discount, tax, added, refunded })
  const amount_tax_refunded = settled.reduce((sum, line) => sum + line.amount_tax_refunded, 0)
  const sums = { amount: total, subtotal, amount_discount, amount_tax: tax, tax_inclusive }
  return { ...sums, amount_refunded: refunded, amount_tax_refunded, lines: settled }
}

/** Returns a line without a product in the shop, such as one for shipping. */
export function lineOf(name: string, amount: number): ListedLine {
  return { keys: [], product_name: name, price_variant_name: 'Default', quantity: 1, unit_amount: amount }
}

interface OrderTotals {
  subtotal: number
  amount_discount: number
  tax: number
  added: number
  refunded: number
}

function share(lines: readonly ListedLine[], whole: OrderTotals): LineDraft[] {
  const gross = lines.map(({ unit_amount, quantity }) => unit_amount * quantity)
  const discounts = allocate(whole.amount_discount, gross)
  const net = gross.map((amount, index) => amount - discounts[index]!)
  const taxes = spread(whole.tax, net)
  const amounts = net.map((amount, index) => amount + (whole.added > 0 ? taxes[index]! : 0))
  const refunds = allocate(whole.refunded, amounts)
  return lines.map((line, index) => ({
    ...line,
    ...{ tax_code: null, setup_fee_amount: 0 },
    amount: amounts[index]!,
    amount_discount: discounts[index]!,
    amount_tax: taxes[index]!,
    amount_refunded: refunds[index]!,
    amount_tax_refunded: taxRefunded(taxes[index]!, refunds[index]!, amounts[index]!),
  }))
}

/**
 * Splits a total in proportion to weights, exact to the minor unit. The total may be larger than the sum of the weights, for
 * example if the tax is larger than the net amounts.
 */
function spread(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((all, weight) => all + weight, 0)
  if (total <= sum) return allocate(total, weights)
  return weights.map((weight, index) => (index === 0 ? total - (sum - weight) : weight))
}
