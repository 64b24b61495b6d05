import { html } from 'hono/html'
import type { AuthorizationRequest } from '../../access/oauth/connect.ts'
import type { Destination } from '../../access/oauth/redirect-uri.ts'
import type { AccountOfPerson, SignedIn } from '../../access/people/people.ts'
import type { TokenRight } from '../../contract/declarations/caller.ts'
import { document } from '../parts/document.ts'
import { factList, type Page, type Problem, summaryOf } from '../parts/markup.ts'
import { OPTIONS, sheets, stylesheet } from '../parts/stylesheet.ts'

export const CONNECT_STYLE = stylesheet('/connect/', ...OPTIONS, ...sheets(import.meta.url, 'connect'))

export interface Consenting {
  person: SignedIn
  request: AuthorizationRequest
  query: string
  proof: string
  places: AccountOfPerson[]
  destination: Destination
  problems: Problem[]
}

/** The rights that a client can get, beginning with the smallest. */
const RIGHTS: { right: TokenRight; title: string; words: string }[] = [
  {
    right: 'read',
    title: 'Read',
    words: 'It can see everything you can see, including customers and orders, but cannot change anything.',
  },
  {
    right: 'propose',
    title: 'Propose changes',
    words: 'It can read and plan changes. Nothing changes until a person reviews a plan and applies it.',
  },
  {
    right: 'write',
    title: 'Make changes',
    words:
      'It can do anything you can do, without asking first: create, change and delete, send e-mails, refund payments.',
  },
]

export function consentPage(consenting: Consenting): Page {
  const { person, request, places, query, proof, problems } = consenting
  const title = `Connect ${request.client.name}?`
  return document(
    title,
    { shop: { name: 'Shopwright', email: null }, test: false, style: CONNECT_STYLE.address },
    html`<div class="message consent"><h1>${title}</h1>${summaryOf(problems)}
${aboutClient(consenting)}
<form method="post" action="/connect/authorize">
<input type="hidden" name="request" value="${query}">
<input type="hidden" name="proof" value="${proof}">
${places.length === 1 ? html`<input type="hidden" name="account" value="${places[0]!.accountId}">` : accountChoice(places)}
${rightChoice(request.rights)}
<div class="choices"><button class="primary" type="submit" name="do" value="allow">Connect</button>
<button type="submit" name="do" value="deny">Cancel</button></div>
</form>
<p class="hint">It will act as you: <strong>${person.email}</strong>. You can end the connection at any time in the dashboard, under Developers, Connections.</p></div>`,
  )
}

function aboutClient({ request: { client }, destination, places }: Consenting): Page {
  const vouched =
    client.domain === null
      ? {
          kind: 'unsure',
          words:
            'Not verified. It registered itself, and any program could use this name. Continue only if you just started this yourself.',
        }
      : { kind: 'vouched', words: html`Verified: it belongs to <strong>${client.domain}</strong>.` }
  return factList('client', [
    ['Program', html`<strong>${client.name}</strong>`, { note: vouched }],
    ['Sends you back to', destinationText(destination)],
    places.length === 1 && ['Your shop', html`<strong>${places[0]!.name}</strong>`],
  ])
}

function destinationText({ kind, name }: Destination): Page {
  if (kind === 'computer') return html`A program on this computer, at <strong>${name}</strong>`
  if (kind === 'program') return html`The program on this computer that opens <strong>${name}:</strong> links`
  return html`<strong>${name}</strong>`
}

/** No shop is preselected, because people would easily overlook a wrong one. */
function accountChoice(places: AccountOfPerson[]): Page {
  return html`<fieldset id="account"><legend>Which shop?</legend>${places.map(
    ({ accountId, name, subdomain, role }) =>
      html`<label class="option"><input type="radio" name="account" value="${accountId}" required>
<span><strong>${name}</strong><span class="hint">${subdomain}, where you are ${role}</span></span></label>`,
  )}</fieldset>`
}

function rightChoice(rights: TokenRight[]): Page {
  const offered = RIGHTS.filter(({ right }) => rights.includes(right))
  const chosen = rights.includes('propose') ? 'propose' : offered[0]!.right
  return html`<fieldset id="right"><legend>What may it do?</legend>${offered.map(
    ({ right, title, words }) =>
      html`<label class="option"><input type="radio" name="right" value="${right}" required${right === chosen ? html` checked` : ''}>
<span><strong>${title}</strong><span class="hint">${words}</span></span></label>`,
  )}</fieldset>`
}
