import { html } from 'hono/html'
import { headedCard, type Page } from '../../parts/markup.ts'
import { shown } from '../kit/call.ts'
import type { DashboardContext, Viewed } from '../kit/visit.ts'
import { amountOf } from '../shop/money.ts'
import { recoverButtons } from './buttons.ts'
import { momentOf, reasonAtLength, whatFollows } from './words.ts'

type UnpaidSubscription = Pick<
  Viewed<'subscription'>,
  | 'id'
  | 'status'
  | 'amount_due'
  | 'customer'
  | 'currency'
  | 'last_payment_error'
  | 'last_payment_error_code'
  | 'failed_payments_count'
  | 'next_payment_attempt_at'
  | 'unpaid_until'
>

/** Shows why the payment failed and the possible actions. Returns null if nothing is unpaid. */
export async function unpaidSubscription(
  visit: DashboardContext,
  subscription: UnpaidSubscription,
): Promise<Page | null> {
  const { id, status, failed_payments_count: tries } = subscription
  if (status !== 'past_due' && status !== 'unpaid') return null
  const failure = { code: subscription.last_payment_error_code, message: subscription.last_payment_error }
  const due = amountOf(subscription, 'amount_due')
  return headedCard(
    'failed',
    `The payment of ${due} failed`,
    html`${reasonAtLength(failure)}${whatFollows(visit, subscription, await momentOf(visit))}
<p class="soft">${tries === 1 ? 'It was tried once.' : `It was tried ${tries} times.`}</p>
${recoverButtons(visit, { kind: 'subscription', id, about: due, to: addressOf(subscription) }, { charge: due })}`,
  )
}

/** Shows why the payment failed. For a subscription's order, it shows the actions that the subscription has now. */
export async function failedOrder(visit: DashboardContext, order: Viewed<'order'>): Promise<Page | null> {
  if (order.status !== 'failed') return null
  const charge = typeof order.charge === 'object' ? order.charge : null
  const why = reasonAtLength({ code: charge?.failure_code ?? null, message: charge?.failure_message ?? null })
  return headedCard('failed', 'The payment failed', html`${why}${await nextOf(visit, order)}`)
}

async function nextOf(visit: DashboardContext, order: Viewed<'order'>): Promise<Page> {
  const [about, to] = [amountOf(order), addressOf(order)]
  const id = idOf(order.subscription)
  if (id !== null) {
    const subscription = await shown(visit.call('GET /subscriptions/{id}', { path: { id } }))
    const link = html`<a href="${visit.base}/subscriptions/${id}">The subscription</a>`
    if (subscription.status !== 'past_due' && subscription.status !== 'unpaid')
      return html`<p>${link} has nothing left to pay.</p>`
    const due = amountOf(subscription, 'amount_due')
    return html`${whatFollows(visit, subscription, await momentOf(visit))}${recoverButtons(visit, { kind: 'subscription', id, about: due, to }, { charge: due })}`
  }
  const invoice = idOf(order.invoice)
  if (invoice !== null)
    return html`<p>The buyer can try again at the page of the <a href="${visit.base}/invoices/${invoice}">invoice</a>.</p>${recoverButtons(visit, { kind: 'invoice', id: invoice, about, to })}`
  return html`<p>Nothing was charged, and nothing is tried again by itself: the buyer can pay by the link.</p>${recoverButtons(visit, { kind: 'order', id: order.id, about, to })}`
}

function idOf(reference: string | { id: string } | null): string | null {
  return typeof reference === 'object' ? (reference?.id ?? null) : reference
}

function addressOf({ customer }: Pick<UnpaidSubscription, 'customer'>): string | null {
  return typeof customer === 'object' ? customer.email : null
}
