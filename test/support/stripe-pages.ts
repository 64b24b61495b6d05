import type { ServerResponse } from 'node:http'
import type { StripeAccount } from './stripe-account.ts'
import type { CardAnswer } from './stripe-things.ts'

/** A link to the page on which the owner of an account registers. */
export interface SetUpLink {
  account: StripeAccount
  return_url: string
  refresh_url: string
  opened: boolean
}

interface Visit {
  path: string
  method: string
  body: string
  response: ServerResponse
  accounts: readonly StripeAccount[]
  links: ReadonlyMap<string, SetUpLink>
}

/** Shows a page of the stand-in, a form without a script, as a person or a test in a browser uses it; false where it has none. */
export function showPage(visit: Visit): boolean {
  const [, folder, id = ''] = visit.path.split('/')
  if (folder === 'pay') showPaymentPage(visit, id)
  else if (folder === 'setup') showSetUpPage(visit, visit.links.get(id)!)
  else return false
  return true
}

/** A used link redirects to the service, which creates another one. */
function showSetUpPage({ method, response }: Visit, link: SetUpLink): void {
  const location = method === 'POST' ? link.return_url : link.opened ? link.refresh_url : null
  if (method === 'POST') link.account.completes()
  link.opened = true
  if (location !== null) response.writeHead(303, { Location: location }).end()
  else html(response, '<h1>Register at Stripe</h1><form method="post"><button>Submit</button></form>')
}

/** The page on which a buyer pays. */
function showPaymentPage({ method, body, response, accounts }: Visit, id: string): void {
  const { bank } = accounts.find((one) => one.bank.sessions.has(id)) ?? accounts[0]!
  const session = bank.session(id)
  if (method === 'POST') {
    const card = new URLSearchParams(body).get('card') as CardAnswer | 'back'
    const back = card === 'back'
    const after = back ? session : bank.enterCard(id, card)
    if (back || after.status === 'complete') {
      response.writeHead(303, { Location: back ? session.cancel_url : session.success_url }).end()
      return
    }
  }
  const buttons = ['pays', 'declined', 'fails_later', 'no_refund', 'back'].map(
    (card) => `<button name="card" value="${card}">${card.replace('_', ' ')}</button>`,
  )
  const total = `${session.amount_total} ${session.currency ?? ''}`
  const declined = method === 'POST' ? '<p role="alert">Your card was declined.</p>' : ''
  html(response, `<h1>${total}</h1>${declined}<form method="post">${buttons.join('')}</form>`)
}

function html(response: ServerResponse, body: string): void {
  response.setHeader('Content-Type', 'text/html; charset=utf-8')
  response.end(`<!doctype html><html lang="en"><title>Stand-in for Stripe</title>${body}</html>`)
}
