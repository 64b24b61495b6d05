import { html } from 'hono/html'
import type { Row } from '../../contract/declarations/noun.ts'
import { formatUtcDay } from '../../format/moments.ts'
import type { Checkout } from '../../resources/sales/checkout/checkout.ts'
import type { Sheet } from '../../resources/sales/checkout/sheet.ts'
import { document, type Frame } from '../parts/document.ts'
import type { Page } from '../parts/markup.ts'
import { boughtList, totals } from './summary.ts'

export interface Completed {
  frame: Frame
  sheet: Sheet
  checkout: Pick<Row<typeof Checkout>, 'order' | 'email' | 'success_url'>
  nextPayment: string | null
  onTrial: boolean
  /** Links for the buyer; null if the checkout paid for the service itself. */
  after: AfterPaying | null
}

export interface AfterPaying {
  letter: 'trial' | 'receipt' | null
  receipt: string | null
  content: string | null
  /** The URL of the page with all purchases, on which buyers request a link by email. */
  purchases: string
}

export function completePage({ frame, sheet, checkout, nextPayment, onTrial, after }: Completed): Page {
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

/** All purchases are only shown after a link was mailed, because buyers may have entered another person's address. */
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
