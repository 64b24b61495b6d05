import { CUSTOMERS } from './content.ts'
import { call, type Happening } from './happening.ts'

/** Numbers of test cards, with which simulated payments succeed, fail later or are declined. */
const GOOD = '4242424242424242'
const FAILS_LATER = '4000000000000341'
const DECLINED = '4000000000000002'

const { mara, jonas, ines, tom, yuki } = CUSTOMERS
const priya = { email: 'priya.nair@example.com', name: 'Priya Nair' }
const leo = { email: 'leo.brandt@example.com', name: 'Leo Brandt' }

const GUIDE = 'Field Guide to Paper, Single'
const LICENSE = 'Field Guide to Paper, Class license'
const SEAT = 'Printing Day at the Press, Seat'
const COURSE = 'Bookbinding in a Weekend, Course'
const MEMBERSHIP = 'Studio Membership, Monthly'

/** Sales that need real operations for their history, such as failed renewals and refunds. `Trade` inserts the ordinary purchases. */
export const SALES: Happening[] = [
  buy(170, mara, { [MEMBERSHIP]: 1 }),
  buy(133, yuki, { [GUIDE]: 12 }),
  buy(127, jonas, { [MEMBERSHIP]: 1 }, { as: 'canceled' }),
  call(125, '/subscriptions/@canceled.subscription/cancel', { immediately: true, reason: 'Moved away' }),
  buy(75, ines, { [MEMBERSHIP]: 1 }, { as: 'paused' }),
  buy(64, leo, { 'Pattern Club, Yearly': 1 }, { as: 'ending' }),
  buy(47, tom, { [MEMBERSHIP]: 1 }, { card: FAILS_LATER }),
  bill(45, yuki, SEAT, { dueInDays: 20 }),
  buy(33, yuki, { [MEMBERSHIP]: 1 }, { card: FAILS_LATER }),
  bill(30, priya, COURSE, { dueInDays: 30, as: 'void invoice' }),
  call(29, '/invoices/@void invoice/void'),
  bill(26, yuki, LICENSE, { dueInDays: 14, as: 'invoice' }),
  call(22, '/checkouts', { invoice: '@invoice' }, { as: 'invoice payment' }),
  { daysAgo: 22, act: (shop) => shop.pay('@invoice payment') },
  call(20, '/subscriptions/@paused.subscription/pause'),
  buy(19, priya, { [SEAT]: 2 }, { card: DECLINED }),
  buy(19, priya, { [SEAT]: 2 }, { as: 'one seat less' }),
  call(15, '/refunds', { order: '@one seat less.order', amount: 6500, reason: 'One of the two guests was ill.' }),
  call(12, '/subscriptions/@ending.subscription/cancel', { reason: 'More patterns than I can print' }),
  buy(12, ines, { [SEAT]: 1 }, { code: 'WELCOME10' }),
  buy(9, mara, { 'Pay What You Like Zine, Zine': 1, [GUIDE]: 1 }),
  buy(6, priya, { 'Grid Templates, Free': 1 }),
  buy(5, priya, { 'Pattern Club, Monthly': 1 }),
  bill(3, jonas, SEAT, { dueInDays: 14 }),
  buy(1, ines, { [COURSE]: 1, [SEAT]: 1 }),
]

interface Buyer {
  email: string
  name: string
}

/** Buys products as a visitor. `items` maps the names of prices to quantities. */
function buy(
  daysAgo: number,
  { email, name }: Buyer,
  items: Record<string, number>,
  { card = GOOD, code, as }: { card?: string; code?: string; as?: string } = {},
): Happening {
  const line_items = Object.entries(items).map(([price, quantity]) => ({ price_variant: `@${price}`, quantity }))
  return {
    daysAgo,
    async act(shop) {
      const cart = { line_items, email, ...(code && { discount_code: code }) }
      const { id, status } = await shop.call('POST', '/checkouts', cart)
      if (status === 'open') await shop.pay(id, { name, card })
      if (as) shop.remember(as, await shop.get(`/checkouts/${id}`))
    },
  }
}

function bill(daysAgo: number, buyer: Buyer, price: string, due: { dueInDays: number; as?: string }): Happening {
  const body = { email_address: buyer.email, customer_name: buyer.name, price_variant: `@${price}` }
  return call(daysAgo, '/invoices', body, { ...due, on: { due_at: [due.dueInDays - daysAgo, 17] } })
}
