import { html } from 'hono/html'
import type { Page } from '../../parts/markup.ts'
import { ifOpen } from '../kit/page-rights.ts'
import type { DashboardContext } from '../kit/visit.ts'

/** The path of the page that charges a saved card, below the account's address. */
export const CHARGE = '/recover/charge'

/** An unpaid resource. `kind` is the name of the request field for `id`. */
export interface UnpaidItem {
  kind: 'subscription' | 'invoice' | 'order'
  id: string
  /** The subject of the buttons, for screen readers. */
  about: string
  /** The buyer's e-mail address, unless the page shows it near the buttons. */
  to?: string | null
  /** Whether the page already shows the payment link. */
  linked?: boolean
}

/** `charge` is the amount for which the saved card can be charged now. */
export function recoverButtons(
  visit: DashboardContext,
  unpaid: UnpaidItem,
  { charge }: { charge?: string | null } = {},
): Page {
  const now = charge ? chargeLink(visit, unpaid, charge) : ''
  return html`<div class="recover-buttons">${now}
${unpaid.linked ? '' : form(visit, unpaid, { to: 'link', words: 'Copy payment link' })}
${form(visit, unpaid, { to: 'mail', words: unpaid.to ? `E-mail payment link to ${unpaid.to}` : 'E-mail payment link' })}</div>`
}

function chargeLink(visit: DashboardContext, { id, about }: UnpaidItem, amount: string): Page | '' {
  const { base, path } = visit
  const query = new URLSearchParams({ subscription: id, back: path.slice(base.length) })
  const link = html`<a class="button primary" href="${base}${CHARGE}?${query}">Charge ${amount} now<span class="unseen">: ${about}</span></a>`
  return ifOpen(visit, CHARGE, link)
}

/** With scripts, the form copies the payment link at once. Without scripts, a page shows the link. */
function form(
  visit: DashboardContext,
  { kind, id, about }: UnpaidItem,
  { to, words }: { to: 'link' | 'mail'; words: string },
): Page {
  const { base, csrf, path } = visit
  const copies =
    to === 'link' ? html` data-turbo="false" data-controller="payment-link" data-action="payment-link#copy"` : ''
  return html`<form class="button-form" method="post" action="${base}/recover/${to}"${copies}><input type="hidden" name="csrf" value="${csrf}">
<input type="hidden" name="${kind}" value="${id}"><input type="hidden" name="back" value="${path.slice(base.length)}">
<button>${words}<span class="unseen">: ${about}</span></button></form>`
}
