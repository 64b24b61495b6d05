import { html } from 'hono/html'
import { dashboardAnswer } from './kit/answers.ts'
import { bare } from './kit/frame.ts'
import type { DashboardParts, Membership, SignedIn } from './kit/parts.ts'
import { valueTitle } from './kit/words.ts'

/** The accounts of a person, to choose one from; also for an address of none of them. */
export function accountsPage(
  _: DashboardParts,
  { name, email }: SignedIn,
  memberships: Membership[],
  status = 200,
): Promise<Response> {
  const accounts = memberships.map(
    ({ subdomain, name: shop, role, test }) =>
      html`<li><a class="account-link" href="/dashboard/${subdomain}"><strong>${shop}</strong><span>${valueTitle(role)}${test ? ', test account' : ''}</span></a></li>`,
  )
  const list =
    accounts.length > 0
      ? html`<ul class="accounts">${accounts}</ul>`
      : html`<p>You are not a member of any account. Ask an account’s owner to invite ${email}.</p>`
  const missing =
    status === 404 ? html`<p class="notice" role="status">You are not a member of the account at this address.</p>` : ''
  const content = html`<main class="choose" id="content"><h1>Your accounts</h1><p class="lead">${name}, ${email}</p>${missing}${list}
<form method="post" action="/sign-out" data-turbo="false"><button>Sign out</button></form></main>`
  return dashboardAnswer(bare({ title: 'Your accounts' }, content), { status })
}
