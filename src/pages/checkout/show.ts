import { html } from 'hono/html'
import type { BuyerCaller } from '../../contract/declarations/caller.ts'
import type { Row } from '../../contract/declarations/noun.ts'
import { formatUtcDay } from '../../format/moments.ts'
import { formatMoney } from '../../format/money.ts'
import type { Context } from '../../records/context.ts'
import { findRow, requireRow } from '../../records/records.ts'
import type { X402Requirements } from '../../resources/company/x402-configuration/x402-configuration.ts'
import { storefrontUrl } from '../../resources/content/domain-names.ts'
import { accessUrl, experiencesOf } from '../../resources/content/experience/access.ts'
import { Checkout } from '../../resources/sales/checkout/checkout.ts'
import { type Step, stepAgreement, stepOf } from '../../resources/sales/checkout/progress.ts'
import { type Sheet, sheetOf } from '../../resources/sales/checkout/sheet.ts'
import { clientSecret, x402RequirementsOf } from '../../resources/sales/checkout/show.ts'
import { CheckoutLink } from '../../resources/sales/checkout-link/checkout-link.ts'
import { paymentSecret } from '../../resources/sales/invoice/show.ts'
import { itemsByOrder } from '../../resources/sales/order/items.ts'
import { Order } from '../../resources/sales/order/order.ts'
import { hasReceipt, letterAfter } from '../../resources/sales/order/receipt.ts'
import { pageAnswer } from '../parts/answers.ts'
import { closedPage, document, type Frame } from '../parts/document.ts'
import type { Page } from '../parts/markup.ts'
import { NOTHING_TYPED } from './entries.ts'
import { type OpenPage, openAnswer } from './open-checkout-page.ts'
import { CHECKOUT_STYLE } from './stylesheet.ts'
import { boughtList, totals } from './summary.ts'

/** The page reloads at this interval while a payment is pending. */
const RELOAD_SECONDS = 3

export interface CheckoutState {
  checkout: Row<typeof Checkout>
  step: Step
  sheet: Sheet
}

export interface CheckoutView extends CheckoutState {
  address: string
  /** The URL where the buyer can start another checkout for the same goods, or null. */
  startOver: string | null
  x402: X402Requirements | null
  /** Links for a buyer who has paid; null before that. */
  after: AfterPaying | null
}

export async function checkoutStateOf(context: Context, { checkoutId }: BuyerCaller): Promise<CheckoutState> {
  const checkout = await requireRow(context, Checkout, checkoutId)
  const [step, sheet] = await Promise.all([stepOf(context, checkout), sheetOf(context, checkout)])
  return { checkout, step, sheet }
}

export async function checkoutViewOf(context: Context, caller: BuyerCaller): Promise<CheckoutView> {
  const seen = await checkoutStateOf(context, caller)
  const { checkout } = seen
  return {
    ...seen,
    address: `/checkout/${clientSecret(context, caller.checkoutId)}`,
    startOver: startOverAt(context, checkout),
    x402: await x402RequirementsOf(context, checkout),
    after: await afterPaying(context, checkout),
  }
}

async function afterPaying(context: Context, checkout: Row<typeof Checkout>): Promise<AfterPaying | null> {
  const { order: id } = checkout
  const order = id === null || checkout.status !== 'complete' ? undefined : await findRow(context, Order, id)
  if (!order) return null
  const opens = (await experiencesOf(context, order.id)).length > 0
  const items = (await itemsByOrder([order.id], context)).get(order.id) ?? []
  return {
    letter: await letterAfter(context, order, items),
    receipt: hasReceipt(order) ? `/checkout/${clientSecret(context, checkout.id)}/receipt.pdf` : null,
    content: opens ? accessUrl(context, order.id) : null,
    purchases: `${await storefrontUrl(context)}/access`,
  }
}

function startOverAt(context: Context, { link, invoice }: Row<typeof Checkout>): string | null {
  if (invoice !== null) return `/pay/${paymentSecret(context, invoice)}`
  if (link === null) return null
  return CheckoutLink.isId(link) ? `/l/${link}` : `/buy/${link}`
}

interface Arrival {
  /** Whether the buyer has just submitted a form, and is redirected if the next step is on another site. */
  onTheWay: boolean
  /** Whether the buyer returns from the payment provider's page, which reports the payment as made. */
  paid: boolean
  turnedBack: boolean
  /** The name that the buyer typed before, from a cookie. */
  name?: string | null
}

export function showAnswer(shown: CheckoutView, arrival: Arrival): Promise<Response> {
  const { step } = shown
  switch (step.name) {
    case 'open':
      return openAnswer(shown.sheet, { ...openParts(shown), ...noticeOf(shown, arrival), ...typedOf(arrival) })
    case 'second_step':
      return pageAnswer(bankPage({ ...framed(shown), ...amountOf(step), agreement: stepAgreement(step.payment) }))
    case 'at_provider':
      return atProvider(shown, step, arrival)
    case 'processing':
      return pageAnswer(processingPage({ ...framed(shown), ...amountOf(step) }), {
        refresh: { seconds: RELOAD_SECONDS },
      })
    case 'complete':
      return complete(shown, step, arrival)
    default:
      return closed(shown, step.name)
  }
}

function framed({ sheet, checkout, address }: CheckoutView) {
  const frame = { shop: sheet.shop, test: sheet.test, backUrl: checkout.cancel_url, style: CHECKOUT_STYLE.address }
  return { frame, address }
}

function amountOf({ payment }: { payment: { amount: number; currency: string } }) {
  return { amount: payment.amount, currency: payment.currency }
}

export function openParts({ checkout, step, address, sheet, x402 }: CheckoutView): OpenPage {
  const { email, customer, cancel_url: backUrl } = checkout
  const customerName = step.name === 'open' ? step.customerName : null
  const buyer = { email, name: customerName, fixed: customer !== null }
  // While the form shows a lost discount code, its total differs from the amount in the x402 terms, so the terms are left out.
  return { address, backUrl, buyer, ...(x402 && sheet.lostCode === null && { x402 }) }
}

function typedOf({ name }: Arrival): Pick<OpenPage, 'typed'> {
  return name ? { typed: { ...NOTHING_TYPED, name } } : {}
}

function noticeOf({ step }: CheckoutView, { turnedBack }: Arrival): Pick<OpenPage, 'news'> {
  if (turnedBack) return { news: { kind: 'plain', text: 'You came back without paying. Nothing was charged.' } }
  if (step.name !== 'open' || step.failure === null) return {}
  return { news: { kind: 'bad', text: `${step.failure} Nothing was charged. You can try again or use another card.` } }
}

/** Redirects a buyer who has just submitted our form to the payment provider. A buyer who returns from there sees the payment's state. */
function atProvider(
  shown: CheckoutView,
  { payment, url }: Extract<Step, { name: 'at_provider' }>,
  { onTheWay, paid }: Arrival,
): Promise<Response> {
  const page = providerPage({ ...framed(shown), ...amountOf({ payment }), url, checking: paid })
  if (paid) return pageAnswer(page, { refresh: { seconds: RELOAD_SECONDS } })
  return pageAnswer(page, onTheWay ? { refresh: { seconds: 0, address: url } } : {})
}

function complete(
  shown: CheckoutView,
  { subscription }: Extract<Step, { name: 'complete' }>,
  { onTheWay, paid }: Arrival,
): Promise<Response> {
  const { checkout, sheet } = shown
  const runs = subscription !== null && subscription.status !== 'canceled'
  const page = completePage({
    ...framed(shown),
    ...{ sheet, checkout },
    after: shown.after,
    nextPayment: runs ? subscription.current_period_end : null,
    onTrial: subscription?.status === 'trialing',
  })
  const { success_url: successUrl } = checkout
  const goesOn = successUrl !== null && (onTheWay || paid)
  return pageAnswer(page, goesOn ? { refresh: { seconds: 0, address: successUrl } } : {})
}

const CLOSED_PAGES = {
  expired: {
    title: 'This checkout has expired',
    words:
      'A checkout expires after 24 hours or after too many failed payments. Nothing was charged. Please start again from the shop.',
  },
  abandoned: {
    title: 'This checkout was replaced',
    words:
      'A newer checkout replaced it, or its invoice was canceled. It can no longer be paid, and nothing was charged.',
  },
}

function closed(shown: CheckoutView, how: keyof typeof CLOSED_PAGES): Promise<Response> {
  const { sheet, checkout, startOver } = shown
  const { cancel_url } = checkout
  const again = startOver === null ? null : { url: startOver, words: 'Start again' }
  const back = cancel_url === null ? again : { url: cancel_url, words: `Back to ${sheet.shop.name}` }
  const mail =
    sheet.shop.email === null ? null : { url: `mailto:${sheet.shop.email}`, words: `E-mail ${sheet.shop.name}` }
  return pageAnswer(closedPage({ ...framed(shown), ...CLOSED_PAGES[how], way: back ?? mail }), { status: 410 })
}

interface PaymentView {
  frame: Frame
  address: string
  amount: number
  currency: string
}

/** Renders the page of the simulated bank. `agreement` identifies the payment that the buyer approves. */
function bankPage({ frame, address, amount, currency, agreement }: PaymentView & { agreement: string }): Page {
  const shop = frame.shop?.name ?? ''
  const title = 'Approve the payment'
  const content = html`<div class="message">
<p class="eyebrow">Simulated bank</p>
<h1>${title}</h1>
<p>${shop} requests <strong>${formatMoney(amount, currency)}</strong>. With a real card, your bank would ask you to confirm here.</p>
<form method="post" action="${address}" class="choices">
<input type="hidden" name="agreed" value="${agreement}">
<button class="primary" type="submit" name="do" value="approve">Approve</button>
<button type="submit" name="do" value="refuse">Refuse</button>
</form></div>`
  return document(title, { ...frame, shop: frame.shop }, content)
}

function providerPage({ frame, address, url, checking }: PaymentView & { url: string; checking: boolean }): Page {
  const title = checking ? 'Checking your payment' : 'Continue to payment'
  const words = checking
    ? 'The payment provider has not confirmed your payment yet. This page checks again automatically.'
    : 'Finish paying for your order on the payment provider’s page.'
  const content = html`<div class="message">
<h1>${title}</h1>
<p role="status">${words}</p>
<p><a class="button primary" href="${url}" rel="noreferrer">Go to the payment page</a></p>
<form method="post" action="${address}"><button class="link" type="submit" name="do" value="take_back">Cancel this payment and change the order</button></form>
</div>`
  return document(title, frame, content)
}

function processingPage({ frame, address, amount, currency }: PaymentView): Page {
  const content = html`<div class="message">
<p class="spinner" aria-hidden="true"></p>
<h1>Your payment is being processed</h1>
<p role="status">${formatMoney(amount, currency)} is on its way. Do not pay again. This page checks for updates every few seconds.</p>
<p><a href="${address}">Check now</a></p>
</div>`
  return document('Your payment is being processed', frame, content)
}

interface Completed {
  frame: Frame
  sheet: Sheet
  checkout: Pick<Row<typeof Checkout>, 'order' | 'email' | 'success_url'>
  nextPayment: string | null
  onTrial: boolean
  /** Links for the buyer; null if the checkout paid for the service itself. */
  after: AfterPaying | null
}

interface AfterPaying {
  letter: 'trial' | 'receipt' | null
  receipt: string | null
  content: string | null
  /** The URL of the page with all purchases, on which buyers request a link by email. */
  purchases: string
}

function completePage({ frame, sheet, checkout, nextPayment, onTrial, after }: Completed): Page {
  const { order, email, success_url: successUrl } = checkout
  const shop = sheet.shop.name
  const title = sheet.total > 0 && !sheet.fee ? 'Thank you for your order' : 'All done'
  const next =
    nextPayment &&
    html`<p>${onTrial ? 'Your trial is free until' : 'Your next payment is on'} ${formatUtcDay(nextPayment)}.</p>`
  const content = html`<div class="message">${CHECK_ICON}
<h1>${title}</h1>
<p role="status">${statusOf(sheet, email, after?.letter ?? null)}</p>
${next || ''}
${boughtList(sheet)}
${totals(sheet, 'Total paid')}
${order ? html`<p class="order"><span class="label">Order</span> <code>${order}</code></p>` : ''}
${after === null ? '' : linksAfterPaying(after)}
${successUrl === null ? html`<p class="hint">You can close this page.</p>` : html`<p><a class="button primary" href="${successUrl}" rel="noreferrer">Continue to ${shop}</a></p>`}
</div>`
  return document(title, frame, content)
}

/** Renders links. All purchases are shown only through a mailed link, because buyers may have typed another person's address. */
function linksAfterPaying({ receipt, content, purchases }: AfterPaying): Page {
  return html`<ul class="ways-on">${content === null ? '' : html`<li><a href="${content}">Open what you bought</a></li>`}${receipt === null ? '' : html`<li><a href="${receipt}">Receipt (PDF)</a></li>`}<li><a href="${purchases}">All your purchases, subscriptions and receipts</a></li></ul>`
}

function statusOf({ fee, total }: Sheet, email: string | null, letter: AfterPaying['letter']) {
  if (fee) return 'It is paid. Go on in the dashboard.'
  if (!email || letter === null) return 'Your order is complete.'
  if (letter === 'receipt') return html`A receipt is on its way to <strong>${email}</strong>.`
  const bill = total > 0 ? ' Your receipt is in it.' : ''
  return html`Your trial has started. An e-mail is on its way to <strong>${email}</strong>: when the trial ends, what is charged then and to which card, and how to cancel.${bill}`
}

const CHECK_ICON = html`<svg class="check" aria-hidden="true" width="56" height="56" viewBox="0 0 56 56" fill="none"><circle cx="28" cy="28" r="28"/><path d="m17 29 8 8 15-17" stroke-width="4" stroke-linecap="round" stroke-linejoin="round"/></svg>`
