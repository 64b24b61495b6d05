import type { Action } from './actions.ts'
import { bill, openInvoice, voidInvoice } from './invoices.ts'
import { DAY, written } from './moments.ts'
import { cancel, pause, resume } from './renewals.ts'
import type { State, Subscription } from './state.ts'
import { find, likely, type Step } from './step.ts'

type Of<Act extends Action['act']> = Extract<Action, { act: Act }>

export function billStep({ price: pick, quantity, buyer, country, days }: Of<'bill'>, state: State): Step {
  const price = (likely(state.prices, pick, ({ archived, kind }) => !archived && kind === 'fixed') ?? state.prices[0]!)
    .name
  const known = buyer === 0 ? state.customers[0] : undefined
  const email = known?.email ?? `buyer${buyer}@example.com`
  const due = state.now + days * DAY
  const name = `invoice ${state.invoices.length + 1}`
  return {
    words: `bill ${email} in ${country} for ${quantity} × ${price}, due ${written(due)}: ${name}`,
    model: (draft) => bill(draft, { price: find(draft.prices, price), quantity, email, country, due }),
    real: (shop) =>
      shop.create('/invoices', name, {
        ...{ price_variant: shop.idOf(price), quantity, country, due_at: written(due) },
        ...(known ? { customer: shop.idOf(email) } : { email_address: email }),
      }),
  }
}

export function openInvoiceStep({ invoice }: Of<'open invoice' | 'void'>, state: State): Step | null {
  const name = likely(state.invoices, invoice, ({ status }) => status === 'open' || status === 'past_due')?.name
  if (name === undefined) return null
  const checkout = `checkout ${state.checkouts.filter((one) => one.name.startsWith('checkout')).length + 1}`
  return {
    words: `open ${checkout} of ${name}`,
    model: (draft) => openInvoice(draft, find(draft.invoices, name)),
    real: (shop) => shop.create('/checkouts', checkout, { invoice: shop.idOf(name) }),
  }
}

export function voidStep({ invoice }: Of<'open invoice' | 'void'>, state: State): Step | null {
  const name = likely(state.invoices, invoice, ({ status }) => status !== 'void')?.name
  if (name === undefined) return null
  return {
    words: `void ${name}`,
    model: (draft) => voidInvoice(draft, find(draft.invoices, name)),
    real: (shop) => shop.call('POST', `/invoices/${shop.idOf(name)}/void`),
  }
}

/** An action on a subscription that is likely in a state for it. */
function actionStep(
  { subscriptions }: State,
  pick: number,
  isLikely: (one: Subscription) => boolean,
  does: { words: string; act(state: State, one: Subscription): void; path: string; body?: object },
): Step | null {
  const name = likely(subscriptions, pick, isLikely)?.name
  if (name === undefined) return null
  return {
    words: `${does.words} the ${name}`,
    model: (draft) => does.act(draft, find(draft.subscriptions, name)),
    real: (shop) => shop.call('POST', `/subscriptions/${shop.idOf(name)}/${does.path}`, does.body),
  }
}

export function cancelStep({ subscription, immediately, reason }: Of<'cancel'>, state: State): Step | null {
  return actionStep(state, subscription, ({ status }) => status !== 'canceled', {
    ...{ words: immediately ? 'cancel at once' : 'cancel', path: 'cancel' },
    act: (draft, one) => cancel(draft, one, { immediately, reason }),
    body: { immediately, ...(reason !== null && { reason }) },
  })
}

export function pauseStep({ subscription, days }: Of<'pause'>, state: State): Step | null {
  const resumes = days === null ? null : state.now + days * DAY
  return actionStep(state, subscription, ({ status, ends }) => /ing|active/.test(status) && ends === null, {
    ...{ words: resumes === null ? 'pause' : `pause until ${written(resumes)}`, path: 'pause' },
    act: (draft, one) => pause(draft, one, resumes),
    ...(resumes !== null && { body: { resumes_at: written(resumes) } }),
  })
}

export function resumeStep({ subscription }: Of<'resume'>, state: State): Step | null {
  const isLikely = ({ status, ends }: Subscription) => status === 'paused' || (status !== 'canceled' && ends !== null)
  return actionStep(state, subscription, isLikely, { words: 'resume', act: resume, path: 'resume' })
}
