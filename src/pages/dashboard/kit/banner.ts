import { html } from 'hono/html'
import type { Page } from '../../parts/document.ts'
import { mayOpen } from './page-rights.ts'
import type { Visit } from './visit.ts'

/** Says on every page of an account that no money moves, or that it goes elsewhere. */
export function banner(visit: Visit): Page {
  if (visit.account.test) return said('Test account', 'No real money moves here, and the account has its own clock.')
  const { taking } = visit
  if (taking.by === 'service') {
    const { operatorAccount } = visit.parts.services
    const isKept = operatorAccount !== null && operatorAccount !== visit.account.id
    return isKept ? said('The operator of this service gets your money', connect(visit)) : html``
  }
  if (taking.by === 'test') return said('No money moves yet', connect(visit))
  if (taking.by === 'connection')
    return taking.connection.live === 1
      ? html``
      : said(
          'Test mode',
          html`The payment provider is connected in its test mode, so no money moves. ${connect(visit)}`,
        )
  if (taking.why === 'refused')
    return said('Payments have stopped', html`The payment provider no longer takes your key. ${connect(visit)}`)
  return said('Buyers cannot pay by card', html`No payment provider is connected. ${connect(visit)}`)
}

function said(strong: string, words: string | Page): Page {
  return html`<p class="test-account"><strong>${strong}</strong> ${words}</p>`
}

const PATH = '/settings/payments'

function connect(visit: Visit): Page {
  if (!mayOpen(visit, PATH, 'POST')) return html`Ask an owner or admin to connect payments.`
  return html`<a href="${visit.base}${PATH}">Connect payments</a>`
}
