import { html } from 'hono/html'
import { declineOf } from '../../../format/declines.ts'
import { cardOf } from '../../../resources/sales/subscription/card.ts'
import { ALWAYS } from '../../parts/asset.ts'
import { formOf } from '../derived/form.ts'
import { formPage } from '../derived/form-page.ts'
import { framed, goDone, goFailed } from '../kit/answers.ts'
import { formKey, refusalOf, shown } from '../kit/call.ts'
import { copyableAddress } from '../kit/copy-buttons.ts'
import { type DashboardContext, type DashboardPage, mayCall } from '../kit/visit.ts'
import { amountOf } from '../shop/money.ts'
import { CHARGE, reasonOf } from './failure-card.ts'

/** The paths of pages that have the buttons to recover a payment. */
const PLACES = /^\/(recover|(orders|subscriptions|invoices|customers)\/\w+)$/

/** Shows the payment link on a page, or responds to a script with the link as text. */
export const showPaymentLink: DashboardPage = {
  path: '/recover/link',
  send: 'sales.write',
  post: async (visit, _, form) => {
    const asText = visit.incoming.header('accept') === 'text/plain'
    const answer = await visit.call('POST /payment_links', { body: unpaidOf(form) })
    const refusal = refusalOf(answer)
    if (asText) return textAnswer(refusal ? refusal.message : answer.body.url, answer.status)
    if (refusal) return goFailed(visit, backOf(visit, form), refusal.message)
    const content = html`<section class="card" aria-label="Payment link"><p>The buyer pays here. Whoever has the link can pay, and nothing else.</p>${copyableAddress(answer.body.url, 'payment link')}</section>`
    return framed(visit, { title: 'Payment link', crumbs: crumbs(visit, form) }, content)
  },
}

export const mailPaymentLink: DashboardPage = {
  path: '/recover/mail',
  send: 'sales.write',
  post: async (visit, _, form) => {
    const answer = await visit.call('POST /payment_reminders', { body: unpaidOf(form) })
    const refusal = refusalOf(answer)
    if (refusal) return goFailed(visit, backOf(visit, form), `The payment link was not e-mailed. ${refusal.message}`)
    return goDone(visit, backOf(visit, form), 'sent', `The payment link was mailed to ${answer.body.to}.`)
  },
}

export const chargeNowPage = formPage({
  path: CHARGE,
  see: 'sales.write',
  async show(visit, _, refused) {
    const form = refused?.sent ?? visit.query
    const subscription = await subscriptionOf(visit, form)
    const { amount_due: due, customer, product } = subscription
    if (due === null) return goFailed(visit, backOf(visit, form), 'Nothing is unpaid: nothing was charged.')
    const amount = amountOf(subscription, 'amount_due')
    const content = await formOf(visit, {
      fields: {},
      before: null,
      refused,
      button: `Charge ${amount}`,
      back: backOf(visit, form),
      above: html`<input type="hidden" name="subscription" value="${subscription.id}"><input type="hidden" name="back" value="${form.get('back') ?? ''}">`,
    })
    const buyer = customer.name ? `${customer.name} (${customer.email})` : customer.email
    const card = await savedCard(visit, subscription.id)
    const lead = `${card ?? 'The saved card'} of ${buyer} is charged ${amount} immediately, for the unpaid period of “${product.name}”. The buyer is not e-mailed if it fails.`
    const options = { title: `Charge ${amount} now?`, crumbs: crumbs(visit, form), lead }
    return framed(visit, { ...options, status: refused?.status }, content)
  },
  async take(visit, _, form) {
    const before = await subscriptionOf(visit, form)
    const back = backOf(visit, form)
    const answer = await visit.call('POST /payment_attempts', { body: { subscription: before.id }, key: formKey(form) })
    const refusal = refusalOf(answer)
    if (refusal) return goFailed(visit, back, `Nothing was charged. ${refusal.message}`)
    const { status, failed_payments_count: tries, last_payment_error, last_payment_error_code: code } = answer.body
    if (status === 'active') return goDone(visit, back, 'done', `${amountOf(before, 'amount_due')} was charged.`)
    if (tries === before.failed_payments_count)
      return goDone(visit, back, 'done', 'The charge is under way. Its result appears here.')
    const why = reasonOf({ code, message: last_payment_error })
    const next = declineOf(code).advice
    return goFailed(visit, back, `The payment of ${amountOf(before, 'amount_due')} failed. ${why} ${next}`)
  },
})

/** Describes the saved card. Returns null if there is none, and for people who may not charge it. */
async function savedCard(visit: DashboardContext, id: string): Promise<string | null> {
  const { dashboardOperations, visits } = visit.parts.pipeline
  const charges = dashboardOperations.find(({ method, path }) => method === 'POST' && path === '/payment_attempts')
  return mayCall(visit, charges) ? visits.look(visit.caller, (context) => cardOf(context, id)) : null
}

function subscriptionOf(visit: DashboardContext, form: URLSearchParams) {
  const path = { id: form.get('subscription') || 'none' }
  return shown(visit.call('GET /subscriptions/{id}', { path, query: { expand: ['customer', 'product'] } }))
}

function unpaidOf(form: URLSearchParams): { subscription?: string; invoice?: string; order?: string } {
  const named = (['subscription', 'invoice', 'order'] as const).filter((name) => form.get(name))
  return Object.fromEntries(named.map((name) => [name, form.get(name)!]))
}

/** Returns the path to go back to. Only known paths are accepted, so that a form cannot lead to another site. */
function backOf({ base }: DashboardContext, form: URLSearchParams): string {
  const back = form.get('back') ?? ''
  return `${base}${PLACES.test(back) ? back : '/recover'}`
}

function crumbs(visit: DashboardContext, form: URLSearchParams) {
  return [{ words: 'Back', address: backOf(visit, form) }]
}

function textAnswer(text: string, status: number): Response {
  const headers = { ...ALWAYS, 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' }
  return new Response(text, { status, headers })
}
