import type { Action, ItemWish } from './actions.ts'
import { type Item, isForSale, isUsable, lineOf } from './carts.ts'
import { change, openCart, pay } from './checkouts.ts'
import { answer } from './payments.ts'
import type { RealShop } from './real-shop.ts'
import { dispute, refund } from './refunds.ts'
import type { Code, State } from './state.ts'
import { find, likely, picked, type Step } from './step.ts'

type Of<Act extends Action['act']> = Extract<Action, { act: Act }>

/** What is put into a cart, by the names of prices. */
type NamedItem = Omit<Item, 'price'> & { price: string }

const buyer = (number: number) => `buyer${number}@example.com`

/** An amount is named for custom prices, and now and then for another, which is refused. */
function itemsOf(wishes: readonly ItemWish[], state: State): NamedItem[] {
  return wishes.map(({ price: pick, quantity, amount }) => {
    const price = likely(state.prices, pick, (one) => isForSale(one, quantity)) ?? state.prices[0]!
    return { price: price.name, quantity, amount: price.kind === 'custom' || pick % 100 === 19 ? amount : null }
  })
}

const inModel = (items: readonly NamedItem[], state: State): Item[] =>
  items.map((item) => ({ ...item, price: find(state.prices, item.price) }))

const inBody = (items: readonly NamedItem[], shop: RealShop) =>
  items.map(({ price, quantity, amount }) => {
    return { price_variant: shop.idOf(price), quantity, ...(amount !== null && { amount }) }
  })

const listed = (items: readonly NamedItem[]) =>
  items
    .map(({ price, quantity, amount }) => `${quantity} × ${price}${amount === null ? '' : ` at ${amount}`}`)
    .join(', ')

/** A code, most often one that can be used for a price. */
function codeFor(pick: number, [item]: readonly NamedItem[], state: State): string {
  const line = item && lineOf({ ...item, price: find(state.prices, item.price) })
  const isUsual = (code: Code) => line === undefined || isUsable(state, code, [line])
  return (likely(state.codes, pick, isUsual) ?? state.codes[0]!).name
}

export function openStep(action: Of<'open'>, state: State): Step {
  const items = itemsOf(action.items, state)
  const code = action.code === null ? null : codeFor(action.code, items, state)
  const customer = action.known ? (picked(state.customers, action.buyer)?.email ?? null) : null
  const email = action.buyer % 8 === 0 || customer !== null ? null : buyer(action.buyer % 4)
  const name = `checkout ${state.checkouts.filter((one) => one.name.startsWith('checkout')).length + 1}`
  return {
    words: `open ${name} of ${listed(items)}, for ${customer ?? email} in ${action.country}, with ${code}`,
    model: (draft) =>
      openCart(draft, {
        country: action.country,
        ...{ items: inModel(items, draft), email, code: code === null ? null : find(draft.codes, code) },
        customer: customer === null ? null : draft.customers.find((one) => one.email === customer)!,
      }),
    real: (shop) =>
      shop.create('/checkouts', name, {
        ...{ line_items: inBody(items, shop), country: action.country },
        ...(customer !== null && { customer: shop.idOf(customer) }),
        ...(email !== null && { email }),
        ...(code !== null && { discount_code: code }),
      }),
  }
}

export function changeStep(action: Of<'change'>, state: State): Step | null {
  const name = likely(state.checkouts, action.checkout, (one) => one.status === 'open')?.name
  if (name === undefined) return null
  const items = action.items && itemsOf(action.items, state)
  const email = action.email === null ? undefined : buyer(1 + (action.email % 4))
  const code = typeof action.code === 'number' ? codeFor(action.code, items ?? [], state) : action.code
  return {
    words: `change ${name}${items ? ` to ${listed(items)}` : ''}, for ${email ?? 'the same'}, with ${code}`,
    model: (draft) =>
      change(draft, find(draft.checkouts, name), {
        ...(items && { items: inModel(items, draft) }),
        ...(email !== undefined && { email }),
        ...(code !== 'keep' && { code: code === 'remove' ? null : find(draft.codes, code) }),
      }),
    real: (shop) =>
      shop.call('PATCH', `/checkouts/${shop.idOf(name)}`, {
        ...(items && { line_items: inBody(items, shop) }),
        ...(email !== undefined && { email }),
        ...(code !== 'keep' && { discount_code: code === 'remove' ? null : code.toLowerCase() }),
      }),
  }
}

export function payStep({ checkout: pick, card, times, buyer: who }: Of<'pay'>, state: State): Step | null {
  const checkout = likely(state.checkouts, pick, (one) => one.status === 'open')
  if (checkout === undefined) return null
  const { name, cart, fails } = checkout
  const email = checkout.email === null && who % 8 !== 7 ? buyer(who % 4) : null
  // Only what is declined can be tried again.
  const tries = card === 'declined' && cart.total > 0 ? Math.min(times, Math.max(1, 10 - fails)) : 1
  return {
    words: `pay ${name} ${email === null ? '' : `for ${email} `}with a card: ${card}${tries > 1 ? `, ${tries} times` : ''}`,
    model(draft) {
      for (let one = 0; one < tries; one++) pay(draft, find(draft.checkouts, name), card, one === 0 ? email : null)
    },
    async real(shop) {
      for (let one = 0; one < tries; one++) await shop.pay(name, card, one === 0 ? email : null)
    },
  }
}

export function answerStep({ payment: pick, approved }: Of<'answer'>, state: State): Step | null {
  const asked = state.payments.filter((one) => one.asked && one.state !== 'succeeded' && one.state !== 'returned')
  const payment = likely(asked, pick, (one) => one.until !== null)
  if (payment === undefined) return null
  const { name } = payment.order
  return {
    words: `${approved ? 'approve' : 'refuse'} the payment of ${name}${payment.until === null ? ', too late' : ''}`,
    model: (draft) => answer(draft, draft.payments.find((one) => one.order.name === name)!, approved),
    real: (shop) => shop.answer(name, approved, { late: payment.until === null }),
  }
}

export function refundStep({ order: pick, percent }: Of<'refund'>, state: State): Step | null {
  const order = likely(state.orders, pick, ({ status }) => status === 'succeeded' || status === 'partially_refunded')
  if (order === undefined) return null
  const { name } = order
  const left = order.amount - order.refunded
  const amount = percent === null ? null : percent > 100 ? left + 1 : Math.max(1, Math.floor((left * percent) / 100))
  return {
    words: `refund ${amount ?? 'all'} of ${name}`,
    model: (draft) => refund(draft, find(draft.orders, name), amount),
    real: (shop) => shop.call('POST', '/refunds', { order: shop.idOf(name), ...(amount !== null && { amount }) }),
  }
}

export function disputeStep({ order: pick, what }: Of<'dispute'>, state: State): Step | null {
  const paid = state.orders.filter(({ amount, paid }) => amount > 0 && paid !== null)
  const name = likely(paid, pick, ({ status }) => (status === 'disputed') === (what !== 'opened'))?.name
  if (name === undefined) return null
  return {
    words: `a dispute over ${name} is ${what}`,
    model: (draft) => dispute(draft, find(draft.orders, name), what),
    real: (shop) => shop.dispute(name, what),
  }
}
