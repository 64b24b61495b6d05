import { html } from 'hono/html'
import type { Page } from '../../parts/markup.ts'
import { ifOpen } from '../kit/page-rights.ts'
import type { Visit } from '../kit/visit.ts'

/** The page that charges a saved card, below the account. */
export const CHARGE = '/recover/charge'

/** What is not paid, by the name that the operations give it. */
export interface Unpaid {
  kind: 'subscription' | 'invoice' | 'order'
  id: string
  /** Whose it is, for those who hear the buttons without the row. */
  about: string
  /** The buyer's address, where the page does not show it next to the buttons. */
  to?: string | null
  /** The page shows the link itself, with a button that copies it. */
  linked?: boolean
}

/** What can be done about a payment that failed. `charge`: the amount that a saved card can be charged now. */
export function recoverButtons(visit: Visit, unpaid: Unpaid, { charge }: { charge?: string | null } = {}): Page {
  const now = charge ? chargeLink(visit, unpaid, charge) : ''
  return html`<div class="recover-buttons">${now}
${unpaid.linked ? '' : form(visit, unpaid, { to: 'link', words: 'Copy payment link' })}
${form(visit, unpaid, { to: 'mail', words: unpaid.to ? `E-mail payment link to ${unpaid.to}` : 'E-mail payment link' })}</div>`
}

/** Leads to the page that asks before the saved card is charged. */
function chargeLink(visit: Visit, { id, about }: Unpaid, amount: string): Page | '' {
  const { base, path } = visit
  const query = new URLSearchParams({ subscription: id, back: path.slice(base.length) })
  const link = html`<a class="button primary" href="${base}${CHARGE}?${query}">Charge ${amount} now<span class="unseen">: ${about}</span></a>`
  return ifOpen(visit, CHARGE, link)
}

/** Without scripts the link is shown on a page; with them, it is copied at once. */
function form(visit: Visit, { kind, id, about }: Unpaid, { to, words }: { to: 'link' | 'mail'; words: string }): Page {
  const { base, csrf, path } = visit
  const copies =
    to === 'link' ? html` data-turbo="false" data-controller="payment-link" data-action="payment-link#copy"` : ''
  return html`<form class="button-form" method="post" action="${base}/recover/${to}"${copies}><input type="hidden" name="csrf" value="${csrf}">
<input type="hidden" name="${kind}" value="${id}"><input type="hidden" name="back" value="${path.slice(base.length)}">
<button>${words}<span class="unseen">: ${about}</span></button></form>`
}
