import { html } from 'hono/html'
import { ALWAYS } from '../../parts/asset.ts'
import type { Page } from '../../parts/document.ts'
import { dashboardAnswer } from '../kit/answers.ts'
import { type Answer, refusalOf, shown } from '../kit/ask.ts'
import { copyableAddress } from '../kit/copy.ts'
import { keyOf } from '../kit/form-key.ts'
import { framed } from '../kit/frame.ts'
import { goDone } from '../kit/notices.ts'
import type { DashboardPage } from '../kit/page.ts'
import type { Visit } from '../kit/visit.ts'
import { amountOf } from '../shop/money.ts'
import { reasonAtLength } from './words.ts'

/** Pages that have these buttons. */
const PLACES = /^\/(recover|(orders|subscriptions|invoices|customers)\/\w+)$/

/** Shows the page where the buyer pays; a script takes it as text. */
export const showPaymentLink: DashboardPage = {
  path: '/recover/link',
  post: async (visit, _, form) => {
    const asText = visit.incoming.header('accept') === 'text/plain'
    const answer = await visit.ask('POST /payment_links', { body: unpaidOf(form) })
    const refusal = refusalOf(answer)
    if (asText) return textAnswer(refusal ? refusal.message : answer.body.url, answer.status)
    if (refusal) return refusedPage(visit, form, answer)
    const content = html`<section class="card" aria-label="Payment link"><p>The buyer pays here. Whoever has the link can pay, and nothing else.</p>${copyableAddress(answer.body.url, 'payment link')}</section>`
    return dashboardAnswer(framed(visit, { title: 'Payment link', crumbs: crumbs(visit, form) }, content))
  },
}

/** Mails it to the buyer. */
export const mailPaymentLink: DashboardPage = {
  path: '/recover/mail',
  post: async (visit, _, form) => {
    const answer = await visit.ask('POST /payment_reminders', { body: unpaidOf(form) })
    if (refusalOf(answer)) return refusedPage(visit, form, answer)
    return goDone(visit, backOf(visit, form), 'sent', `The payment link was mailed to ${answer.body.to}.`)
  },
}

/** Charges the saved card once more. */
export const chargeNow: DashboardPage = {
  path: '/recover/charge',
  post: async (visit, _, form) => {
    const id = form.get('subscription') ?? ''
    const before = await shown(visit.ask('GET /subscriptions/{id}', { path: { id } }))
    const body = { subscription: id }
    const answer = await visit.ask('POST /payment_attempts', { body, key: keyOf(form) })
    if (refusalOf(answer)) return refusedPage(visit, form, answer)
    const {
      status,
      failed_payments_count: tries,
      last_payment_error: message,
      last_payment_error_code: code,
    } = answer.body
    if (status === 'active')
      return goDone(visit, backOf(visit, form), 'done', `${amountOf(before, 'amount_due')} was charged.`)
    if (tries === before.failed_payments_count)
      return goDone(visit, backOf(visit, form), 'done', 'The charge is under way. Its result appears here.')
    const content = html`<section class="card" aria-label="The charge failed"><p class="notice bad" role="alert">The card was charged again, and the payment failed.</p>${reasonAtLength({ code, message })}</section>`
    const page = framed(visit, { title: 'The charge failed', crumbs: crumbs(visit, form) }, content)
    return dashboardAnswer(page, { status: 422 })
  },
}

function unpaidOf(form: URLSearchParams): { subscription?: string; invoice?: string; order?: string } {
  const named = (['subscription', 'invoice', 'order'] as const).filter((name) => form.get(name))
  return Object.fromEntries(named.map((name) => [name, form.get(name)!]))
}

/** Only pages of ours are gone back to. */
function backOf({ base }: Visit, form: URLSearchParams): string {
  const back = form.get('back') ?? ''
  return `${base}${PLACES.test(back) ? back : '/recover'}`
}

function crumbs(visit: Visit, form: URLSearchParams) {
  return [{ words: 'Back', address: backOf(visit, form) }]
}

function refusedPage(visit: Visit, form: URLSearchParams, answer: Answer<object>): Promise<Response> {
  const content: Page = html`<p class="notice bad" role="alert">${refusalOf(answer)!.message}</p>`
  const page = framed(visit, { title: 'This did not work', crumbs: crumbs(visit, form) }, content)
  return dashboardAnswer(page, { status: answer.status })
}

function textAnswer(text: string, status: number): Response {
  const headers = { ...ALWAYS, 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' }
  return new Response(text, { status, headers })
}
