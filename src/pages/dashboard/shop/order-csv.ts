import { plainAmount } from '../../../words/money.ts'
import type { Viewed } from '../kit/visit.ts'

type Order = Viewed<'order'>
type Item = NonNullable<Order['line_items']>[number]

/** What the fields of an order do not say by themselves: who bought what, the setup fees, and what is left without tax. */
export const ORDER_CSV = {
  expand: ['customer', 'line_items'],
  columns: {
    products: ({ line_items = [] }: Order) => line_items.map(itemText).join('; '),
    buyer_email: ({ customer }: Order) => (typeof customer === 'object' ? customer.email : ''),
    buyer_name: ({ customer }: Order) => (typeof customer === 'object' ? (customer.name ?? '') : ''),
    setup_fees: (order: Order) =>
      plainAmount(
        (order.line_items ?? []).reduce((sum, item) => sum + item.setup_fee_amount, 0),
        order.currency,
      ),
    net: (order: Order) => plainAmount(netOf(order), order.currency),
  },
} as const

/** As reports count it: what was paid, less refunds, less the tax of what was kept. 0 while it is not paid. */
function netOf({ paid_at, amount, amount_refunded, amount_tax, amount_tax_refunded }: Order): number {
  return paid_at === null ? 0 : amount - amount_refunded - (amount_tax - amount_tax_refunded)
}

/** `2 × Ruby Handbook (Hardcover)` */
function itemText({ quantity, product_name, price_variant_name }: Item): string {
  return `${quantity} × ${product_name} (${price_variant_name})`
}
