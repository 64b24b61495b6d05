import { close } from './closing.ts'
import type { Minutes } from './moments.ts'
import { fail } from './payments.ts'
import { fallDue } from './renewals.ts'
import type { State } from './state.ts'

interface Falling {
  at: Minutes
  happen(): void
}

/** Lives on until a moment: each thing that falls due happens at its own. */
export function liveUntil(state: State, to: Minutes): void {
  for (let next = nextOf(state); next !== undefined && next.at <= to; next = nextOf(state)) {
    state.now = Math.max(state.now, next.at)
    next.happen()
  }
  state.now = to
}

function nextOf(state: State): Falling | undefined {
  return [...ofCheckouts(state), ...ofPayments(state), ...ofInvoices(state), ...ofSubscriptions(state)].reduce<
    Falling | undefined
  >((first, one) => (first === undefined || one.at < first.at ? one : first), undefined)
}

/** One that is being paid waits for what becomes of the payment. */
function ofCheckouts(state: State): Falling[] {
  const waiting = state.checkouts.filter(({ status, paying }) => status === 'open' && paying === null)
  return waiting.map((checkout) => ({ at: checkout.expires, happen: () => close(state, checkout, 'expired') }))
}

function ofPayments(state: State): Falling[] {
  return state.payments.flatMap((payment) =>
    payment.until === null ? [] : [{ at: payment.until, happen: () => fail(state, payment, { counts: false }) }],
  )
}

function ofInvoices(state: State): Falling[] {
  const open = state.invoices.filter(({ status }) => status === 'open')
  return open.map((invoice) => ({
    at: invoice.due,
    happen() {
      invoice.status = 'past_due'
      state.events.push(`invoice.past_due ${invoice.name}`)
    },
  }))
}

function ofSubscriptions(state: State): Falling[] {
  return state.subscriptions.flatMap((one) =>
    one.due === null ? [] : [{ at: one.due.at, happen: () => fallDue(state, one) }],
  )
}
