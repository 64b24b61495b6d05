import type { Action } from './actions.ts'
import { billStep, cancelStep, openInvoiceStep, pauseStep, resumeStep, voidStep } from './billing-steps.ts'
import { answerStep, changeStep, disputeStep, openStep, payStep, refundStep } from './buying-steps.ts'
import { redeemed } from './carts.ts'
import { liveUntil } from './clock.ts'
import { DAY, type Minutes, written } from './moments.ts'
import { type Code, type Price, refuse, type State } from './state.ts'
import { find, picked, type Step } from './step.ts'

export type { Step }

/** What an action is in a shop as it is now, or null when there is nothing that it could be done with. */
export function stepOf(action: Exclude<Action, { act: 'buy' }>, state: State): Step | null {
  switch (action.act) {
    case 'open':
      return openStep(action, state)
    case 'change':
      return changeStep(action, state)
    case 'pay':
      return payStep(action, state)
    case 'answer':
      return answerStep(action, state)
    case 'refund':
      return refundStep(action, state)
    case 'dispute':
      return disputeStep(action, state)
    case 'bill':
      return billStep(action, state)
    case 'open invoice':
      return openInvoiceStep(action, state)
    case 'void':
      return voidStep(action, state)
    case 'cancel':
      return cancelStep(action, state)
    case 'pause':
      return pauseStep(action, state)
    case 'resume':
      return resumeStep(action, state)
    case 'live':
      return liveStep(state.now + action.minutes)
    case 'live past what is due':
      return livePastStep(action.minutes, state)
    case 'price':
      return priceStep(action, state)
    case 'product':
      return productStep(action, state)
    case 'code':
      return codeStep(action, state)
    case 'currency':
      return currencyStep(action.currency)
  }
}

type Of<Act extends Action['act']> = Extract<Action, { act: Act }>

function liveStep(to: Minutes): Step {
  return {
    words: `live until ${written(to)}`,
    model: (state) => liveUntil(state, to),
    real: (shop) => shop.liveUntil(to),
  }
}

/** To a moment near the next one at which a subscription has something to do. */
function livePastStep(minutes: Minutes, { now, subscriptions }: State): Step {
  const due = subscriptions.flatMap((one) => (one.due === null ? [] : [one.due.at]))
  const next = due.length > 0 ? Math.min(...due) : now
  const beyond = minutes % 2 === 0 ? 0 : minutes === 1 ? -1 : minutes % DAY
  return liveStep(Math.max(now + 1, next + beyond))
}

function priceStep({ price: pick, stock, archived, amount }: Of<'price'>, state: State): Step {
  const { name, kind } = picked(state.prices, pick)!
  const isPriced = amount !== undefined && kind === 'fixed'
  const body = {
    ...(stock !== undefined && { quantity_available: stock }),
    ...(archived !== undefined && { archived }),
    ...(isPriced && { amount }),
  }
  return {
    words: `change ${name} ${JSON.stringify(body)}`,
    model(draft) {
      const price: Price = find(draft.prices, name)
      if (isPriced && price.sold && amount !== price.amount) refuse('amount')
      if (stock !== undefined) price.stock = stock
      if (archived !== undefined) price.archived = archived
      if (isPriced) price.amount = amount
    },
    real: (shop) => shop.call('PATCH', `/price_variants/${shop.idOf(name)}`, body),
  }
}

function productStep({ product, status }: Of<'product'>, state: State): Step {
  const { name } = picked(state.products, product)!
  return {
    words: `make ${name} ${status}`,
    model(draft) {
      find(draft.products, name).status = status
    },
    real: (shop) => shop.call('PATCH', `/products/${shop.idOf(name)}`, { status }),
  }
}

function codeStep({ code: pick, on, most }: Of<'code'>, state: State): Step {
  const { name } = picked(state.codes, pick)!
  const body = {
    ...(on !== undefined && { status: on ? 'active' : 'inactive' }),
    ...(most !== undefined && { max_redemptions: most }),
  }
  return {
    words: `change ${name} ${JSON.stringify(body)}`,
    model(draft) {
      const code: Code = find(draft.codes, name)
      if (most !== undefined && most < redeemed(draft, code) + code.held) refuse('max_redemptions')
      if (on !== undefined) code.on = on
      if (most !== undefined) code.most = most
    },
    real: (shop) => shop.call('PATCH', `/discounts/${shop.idOf(name)}`, body),
  }
}

function currencyStep(currency: string): Step {
  return {
    words: `make ${currency} the account's currency`,
    model(draft) {
      draft.currency = currency
    },
    real: (shop) => shop.call('PATCH', '/account', { default_currency: currency }),
  }
}
