import { pay, priceForSale, sell } from '../support/sell.ts'
import { after, having, type Way, type Ways } from './ways.ts'

const AMOUNT = 1000
const LATER = '2099-01-01T00:00:00Z'

const opened: Way = async (shop) => {
  const { id } = await priceForSale(shop)
  return (await shop.post('/checkouts', { line_items: [{ price_variant: id }] })).id
}

const paid: Way = async (shop) => {
  const { id } = await priceForSale(shop)
  const checkout = await shop.post('/checkouts', { line_items: [{ price_variant: id }], email: 'ada@example.com' })
  await pay(shop, checkout.id)
  return checkout.id
}

const ordered: Way = async (shop) => (await sell(shop, [{ price_variant: (await priceForSale(shop)).id }])).id

const free: Way = async (shop) => {
  const { id } = await priceForSale(shop, { amount_type: 'free', amount: 0 })
  const free = { line_items: [{ price_variant: id }], email: 'ada@example.com' }
  return (await shop.post('/checkouts', free)).order
}

const billed: Way = async (shop) => {
  const { id } = await priceForSale(shop, { amount: AMOUNT })
  return (await shop.post('/invoices', { price_variant: id, due_at: LATER, email_address: 'ada@example.com' })).id
}

const settled: Way = async (shop) => {
  const id = await billed(shop)
  await pay(shop, (await shop.post('/checkouts', { invoice: id })).id)
  return id
}

const abandoned: Way = async (shop) => {
  const invoice = await billed(shop)
  const { id } = await shop.post('/checkouts', { invoice })
  await shop.post('/checkouts', { invoice })
  return id
}

const subscribed =
  (trial = {}): Way =>
  async (shop) => {
    const monthly = { billing_type: 'subscription', recurring_interval: 'month' }
    const { id } = await priceForSale(shop, { ...monthly, ...trial })
    const open = await shop.post('/checkouts', { line_items: [{ price_variant: id }] })
    await shop.patch(`/checkouts/${open.id}`, { email: 'ada@example.com' })
    const { status, subscription } = await shop.get(`/checkouts/${open.id}`)
    return status === 'open' ? (await pay(shop, open.id)).subscription : subscription
  }

const active = subscribed()
const trialing = subscribed({ trial_period_days: 14 })
const CANCEL = '/subscriptions/{id}/cancel'

/** How rows that are sold come to their states. What takes days or a provider's word is set. */
export const sellingWays: Ways = {
  order: {
    pending: having('orders', { status: 'pending' }, ordered),
    succeeded: ordered,
    'succeeded, free': free,
    failed: having('orders', { status: 'failed' }, ordered),
    partially_refunded: async (shop) => {
      const id = await ordered(shop)
      await shop.post('/refunds', { order: id, amount: 1 })
      return id
    },
    refunded: async (shop) => {
      const id = await ordered(shop)
      await shop.post('/refunds', { order: id })
      return id
    },
    disputed: having('orders', { status: 'disputed' }, ordered),
  },
  checkout: {
    open: opened,
    complete: paid,
    abandoned,
    expired: having('checkouts', { status: 'expired' }, opened),
  },
  invoice: {
    open: billed,
    past_due: having('invoices', { status: 'past_due' }, billed),
    paid: settled,
    void: after('/invoices/{id}/void', billed),
  },
  subscription: {
    active,
    'active, ending': after(CANCEL, active),
    trialing,
    'trialing, ending': after(CANCEL, trialing),
    past_due: having('subscriptions', { status: 'past_due' }, active),
    unpaid: having('subscriptions', { status: 'unpaid' }, active),
    incomplete: having('subscriptions', { status: 'incomplete' }, active),
    paused: after('/subscriptions/{id}/pause', active),
    canceled: after(CANCEL, active, { immediately: true }),
  },
}
