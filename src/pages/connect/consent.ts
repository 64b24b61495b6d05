import { createHash } from 'node:crypto'
import { html } from 'hono/html'
import { type AuthorizationRequest, RedirectedError } from '../../access/oauth/authorization-request.ts'
import { OAuthError } from '../../access/oauth/errors.ts'
import { type Destination, destinationOf } from '../../access/oauth/redirect-uri.ts'
import type { AccountOfPerson, SignedIn } from '../../access/people/people.ts'
import type { TokenRight } from '../../contract/declarations/caller.ts'
import { ApiError } from '../../contract/declarations/errors.ts'
import { databaseRefusal } from '../../pipeline/database-refusal.ts'
import { pageAnswer, refused, seeOther, slowDown, unavailableAnswer } from '../parts/answers.ts'
import { OPTIONS, sheets, stylesheet } from '../parts/asset.ts'
import { document } from '../parts/document.ts'
import { isOwnForm, PostLimit, readForm } from '../parts/form.ts'
import { factList, type Page, type Problem, summaryOf } from '../parts/markup.ts'
import { PageOf, type PageRequest } from '../parts/page-parts.ts'
import type { ConnectPageParts } from './endpoints.ts'

const NO_ACCESS_GIVEN = 'The program was not given access.'

interface ConsentRequest {
  person: SignedIn
  query: string
  request: AuthorizationRequest
}

export class ConsentPage extends PageOf<ConnectPageParts> {
  /** Limits views of the page as well as submissions, because each view may fetch the client's metadata document. */
  readonly #visits = new PostLimit('consents', this.parts, { ofClient: this.parts.postsPerMinute })

  get = (incoming: PageRequest): Promise<Response> =>
    this.#answered(incoming, async () => {
      const { search } = new URL(incoming.request.url)
      const asked = await this.#asked(incoming, search.slice(1))
      return asked instanceof Response ? asked : this.#page(asked)
    })

  post = (incoming: PageRequest): Promise<Response> =>
    this.#answered(incoming, async () => {
      if (!isOwnForm(incoming.header, this.parts.publicUrl)) return foreignForm()
      const form = await readForm(this.parts.bodies, incoming)
      const asked = await this.#asked(incoming, form.get('request') ?? '')
      if (asked instanceof Response) return asked
      // The proof is bound to this session and request, so no other page can have sent the form.
      const proof = form.get('proof') ?? ''
      if (!this.parts.services.vault.matches(PROOF, subjectOf(asked), proof)) return foreignForm()
      return this.#decide(asked, form)
    })

  /** Returns the person and the client's request, or a redirect to the sign-in page. */
  async #asked({ header, address }: PageRequest, query: string): Promise<ConsentRequest | Response> {
    const { connect, people, publicUrl } = this.parts
    const wait = await this.#visits.waitSeconds(address, address)
    if (wait > 0) return slowDown('This page was opened too many times in a short time.', wait)
    const person = await people.personOf(header)
    if (person === null)
      return seeOther(`${publicUrl}/sign-in?next=${encodeURIComponent(`/connect/authorize?${query}`)}`)
    return { person, query, request: await connect.readRequest(new URLSearchParams(query)) }
  }

  async #decide(asked: ConsentRequest, form: URLSearchParams): Promise<Response> {
    const { connect } = this.parts
    const { request, person } = asked
    if (form.get('do') !== 'allow') return seeOther(connect.deny(request))
    const places = await this.parts.people.accountsOf(person.userId)
    const place = places.find(({ accountId }) => accountId === form.get('account'))
    const right = request.rights.find((one) => one === form.get('right'))
    const problems: Problem[] = []
    if (!place) problems.push({ field: 'account', message: 'Choose one of your shops.' })
    if (!right) problems.push({ field: 'right', message: 'Choose what it may do.' })
    if (!place || !right) return this.#page(asked, problems)
    return seeOther(await connect.allow(request, person, { accountId: place.accountId, right }))
  }

  async #page(asked: ConsentRequest, problems: Problem[] = []): Promise<Response> {
    const { person, request, query } = asked
    const places: AccountOfPerson[] = await this.parts.people.accountsOf(person.userId)
    const destination = destinationOf(request.redirectUri)
    if (places.length === 0) return noAccount(person.email)
    const proof = this.parts.services.vault.derive(PROOF, subjectOf(asked))
    const page = consentPage({ person, request, query, proof, places, destination, problems })
    return pageAnswer(page, {
      status: problems.length > 0 ? 422 : 200,
      headers: { 'Content-Security-Policy': policyFor(destination.policySource) },
    })
  }

  /** Shows errors on this page, unless the client can get them at a redirect URL that is known to belong to the client. */
  async #answered({ requestId }: PageRequest, answer: () => Promise<Response>): Promise<Response> {
    try {
      return await answer()
    } catch (error) {
      if (error instanceof RedirectedError)
        return error.unasked ? seeOther(error.location) : refusedRequest(error.message, error.location)
      if (error instanceof OAuthError) return brokenRequest(error.message)
      if (error instanceof ApiError && error.status < 500) return brokenRequest(error.message)
      this.parts.log.error({ err: error, requestId }, 'A page failed unexpectedly')
      const refusal = databaseRefusal(error)
      return refusal ? unavailableAnswer(refusal) : failed(requestId)
    }
  }
}

const PROOF = 'consent'

function subjectOf({ person, query, request }: ConsentRequest): string {
  const shown = JSON.stringify([person.sessionId, query, request.client.name, request.client.domain])
  return createHash('sha256').update(shown).digest('base64url')
}

/** Returns a policy that allows the redirect after the form, because browsers also check redirects against `form-action`. */
function policyFor(destination: string): string {
  return `default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self' ${destination}; base-uri 'none'; frame-ancestors 'none'`
}

/** Shows the error on our own page, because the redirect URL may not belong to the client. */
function brokenRequest(problem: string): Promise<Response> {
  return refused(400, {
    title: 'This program cannot be connected',
    words: `${problem} ${NO_ACCESS_GIVEN} Remove the connection in the program, add it again, and try again from there.`,
  })
}

/** Shows the error on our own page, because anyone can register a redirect URL (RFC 9700, section 4.11.2). */
function refusedRequest(problem: string, location: string): Promise<Response> {
  const { name } = destinationOf(location)
  return refused(400, {
    title: 'This program sent an invalid request',
    words: `${problem} ${NO_ACCESS_GIVEN}`,
    way: { url: location, words: `Go back to ${name}` },
  })
}

function foreignForm(): Promise<Response> {
  return refused(403, {
    title: 'This form was not sent from our page',
    words: `It may have expired, or it came from another site. ${NO_ACCESS_GIVEN} Start again from the program that you want to connect.`,
  })
}

function noAccount(email: string): Promise<Response> {
  return refused(403, {
    title: 'There is no shop to connect',
    words: `${email} is not a member of any shop. Ask the shop’s owner to invite you.`,
  })
}

function failed(requestId: string): Promise<Response> {
  return refused(500, {
    title: 'Something went wrong on our side',
    words: `${NO_ACCESS_GIVEN} Start again from the program that you want to connect. If this happens again, give the operator of this service this number: ${requestId}.`,
  })
}

export const CONNECT_STYLE = stylesheet('/connect/', ...OPTIONS, ...sheets(import.meta.url, 'connect'))

interface Consenting extends ConsentRequest {
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

function consentPage(consenting: Consenting): Page {
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
