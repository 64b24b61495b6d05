import { formatDay } from '../../../format/moments.ts'
import { formatMoney } from '../../../format/money.ts'
import type { Context } from '../../../records/context.ts'
import { findRow } from '../../../records/records.ts'
import { Customer } from '../../audience/customer/customer.ts'
import { Discount } from '../../catalog/discount/discount.ts'
import { currentAccount } from '../../company/account/current.ts'
import type { OrderItemRow } from '../order-item/order-item.ts'
import {
  buyerLines,
  type Paper,
  type PaperFact,
  type PaperLine,
  type PaperTax,
  sellerOf,
  taxNotes,
  taxTotals,
} from '../paper.ts'
import { soldName } from '../sold-name.ts'
import { itemsByOrder } from './items.ts'
import type { OrderRow } from './order.ts'
import { isTest } from './show.ts'

/** Free orders have a receipt too. */
export function hasReceipt({ paid_at }: Pick<OrderRow, 'paid_at'>): boolean {
  return paid_at !== null
}

export async function receiptOf(context: Context, order: OrderRow): Promise<Paper> {
  const account = await currentAccount(context)
  const customer = await findRow(context, Customer, order.customer)
  const items = (await itemsByOrder([order.id], context)).get(order.id) ?? []
  const tax: PaperTax = order
  const paidAt = order.paid_at ?? order.created_at
  return {
    title: 'Receipt',
    number: order.id,
    test: isTest(context, order),
    shop: sellerOf(account),
    buyer: customer ? buyerLines(customer.name, customer.email, tax) : [],
    facts: [
      { label: 'Order', value: order.id },
      { label: 'Paid on', value: formatDay(paidAt, account.timezone) },
    ],
    lines: items.flatMap((item) => linesOf(item, tax)),
    totals: await totalsOf(context, order, tax),
    notes: taxNotes(tax),
    at: paidAt,
  }
}

/** The amount is before discount and without added tax; the setup fee has a line of its own. */
function linesOf(item: OrderItemRow & { amount_tax?: number }, { tax_inclusive }: PaperTax): PaperLine[] {
  const { quantity, unit_amount, amount, amount_discount, setup_fee_amount: fee, currency, amount_tax = 0 } = item
  const gross = amount + amount_discount - fee - (tax_inclusive ? 0 : amount_tax)
  const name = soldName(item)
  const detail = quantity > 1 ? `${quantity} × ${formatMoney(unit_amount, currency)}` : null
  const line = { name, detail, quantity, amount: formatMoney(gross, currency) }
  if (fee === 0) return [line]
  return [line, { name: `Setup fee, ${name}`, detail: null, quantity: 1, amount: formatMoney(fee, currency) }]
}

async function totalsOf(context: Context, order: OrderRow, tax: PaperTax): Promise<PaperFact[]> {
  const { currency, subtotal, amount_discount: off, amount, amount_refunded: back } = order
  const money = (value: number) => formatMoney(value, currency)
  const taxes = taxTotals(tax)
  const discount = off > 0 ? [{ label: await discountLabel(context, order), value: money(-off) }] : []
  const less =
    off > 0 && !tax.tax_inclusive && taxes.length > 0 ? [{ label: 'After discount', value: money(subtotal - off) }] : []
  const sums = [{ label: 'Subtotal', value: money(subtotal) }, ...discount, ...less, ...taxes]
  const paid = { label: 'Total paid', value: money(amount) }
  if (back === 0) return [...sums, paid]
  return [
    ...sums,
    paid,
    { label: 'Refunded', value: money(-back) },
    { label: 'Total after refunds', value: money(amount - back) },
  ]
}

async function discountLabel(context: Context, { discount }: OrderRow): Promise<string> {
  const known = discount === null ? undefined : await findRow(context, Discount, discount)
  return known ? `Discount ${known.code}` : 'Discount'
}
