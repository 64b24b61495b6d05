import type { Sale } from './sales.ts'
import type { Shopkeeper } from './shopkeeper.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** One thing that happens between the demo shop and a buyer. */
export async function sell(shop: Shopkeeper, sale: Sale): Promise<void> {
  switch (sale.kind) {
    case 'buy':
      return buy(shop, sale)
    case 'refund': {
      const { amount, reason } = sale
      const { order } = shop.named(sale.of)
      await shop.call('POST', '/refunds', { order, reason, ...(amount !== undefined && { amount }) })
      return
    }
    case 'invoice':
      return bill(shop, sale)
    case 'pay_invoice':
      return shop.pay((await shop.call('POST', '/checkouts', { invoice: `@${sale.of}` })).id)
    case 'void_invoice':
      await shop.call('POST', `/invoices/${shop.named(sale.of).id}/void`)
      return
    default:
      await shop.call('POST', `/subscriptions/${shop.named(sale.of).subscription}/${sale.kind}`, sale.body)
  }
}

async function buy(shop: Shopkeeper, { email, name, items, card, code, as }: Extract<Sale, { kind: 'buy' }>) {
  const line_items = []
  for (const [product, price, quantity = 1] of items)
    line_items.push({ price_variant: await priceOf(shop, product, price), quantity })
  const open = await shop.call('POST', '/checkouts', { line_items, email, ...(code && { discount_code: code }) })
  if (open.status === 'open') await shop.pay(open.id, { name, ...(card && { card }) })
  if (as) shop.remember(as, await shop.get(`/checkouts/${open.id}`))
}

async function bill(shop: Shopkeeper, { email, name, item, dueInDays, as }: Extract<Sale, { kind: 'invoice' }>) {
  const invoice = await shop.call('POST', '/invoices', {
    ...{ email_address: email, customer_name: name, price_variant: await priceOf(shop, ...item) },
    due_at: new Date(Date.parse(await shop.now()) + dueInDays * DAY_MS).toISOString(),
  })
  if (as) shop.remember(as, invoice)
}

async function priceOf(shop: Shopkeeper, product: string, name: string): Promise<string> {
  const products = await shop.list<{ price_variants: { id: string; name: string }[] }>('/products', { query: product })
  const prices = products.flatMap((one) => one.price_variants)
  return prices.find((price) => price.name === name)!.id
}
