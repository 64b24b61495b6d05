import { createHash } from 'node:crypto'
import { type AuthorizationRequest, RedirectedError } from '../../access/oauth/connect.ts'
import { OAuthError } from '../../access/oauth/errors.ts'
import { destinationOf } from '../../access/oauth/redirect-uri.ts'
import type { AccountOfPerson, SignedIn } from '../../access/people/people.ts'
import { ApiError } from '../../contract/declarations/errors.ts'
import { databaseRefusal } from '../../pipeline/database-refusal.ts'
import type { Problem } from '../parts/markup.ts'
import {
  isOwnForm,
  type PageRequest,
  PostLimit,
  pageAnswer,
  readForm,
  refused,
  seeOther,
  slowDown,
  unavailableAnswer,
} from '../parts/parts.ts'
import { consentPage } from './consent-page.ts'
import type { ConnectPageParts } from './endpoints.ts'

const NO_ACCESS_GIVEN = 'The program was not given access.'

interface ConsentRequest {
  person: SignedIn
  query: string
  request: AuthorizationRequest
}

export class ConsentPage {
  readonly #parts: ConnectPageParts
  /** Limits views of the page as well as submissions, because each view may fetch the client's metadata document. */
  readonly #visits: PostLimit

  constructor(parts: ConnectPageParts) {
    this.#parts = parts
    this.#visits = new PostLimit('consents', parts, { ofClient: parts.postsPerMinute })
  }

  get = (incoming: PageRequest): Promise<Response> =>
    this.#answered(incoming, async () => {
      const { search } = new URL(incoming.request.url)
      const asked = await this.#asked(incoming, search.slice(1))
      return asked instanceof Response ? asked : this.#page(asked)
    })

  post = (incoming: PageRequest): Promise<Response> =>
    this.#answered(incoming, async () => {
      if (!isOwnForm(incoming.header, this.#parts.publicUrl)) return foreignForm()
      const form = await readForm(this.#parts.bodies, incoming)
      const asked = await this.#asked(incoming, form.get('request') ?? '')
      if (asked instanceof Response) return asked
      // The proof is bound to this session and request, so no other page can have sent the form.
      const proof = form.get('proof') ?? ''
      if (!this.#parts.services.vault.matches(PROOF, subjectOf(asked), proof)) return foreignForm()
      return this.#decide(asked, form)
    })

  /** Returns the person and the client's request, or a redirect to the sign-in page. */
  async #asked({ header, address }: PageRequest, query: string): Promise<ConsentRequest | Response> {
    const { connect, people, publicUrl } = this.#parts
    const wait = await this.#visits.waitSeconds(address, address)
    if (wait > 0) return tooMany(wait)
    const person = await people.personOf(header)
    if (person === null)
      return seeOther(`${publicUrl}/sign-in?next=${encodeURIComponent(`/connect/authorize?${query}`)}`)
    return { person, query, request: await connect.readRequest(new URLSearchParams(query)) }
  }

  async #decide(asked: ConsentRequest, form: URLSearchParams): Promise<Response> {
    const { connect } = this.#parts
    const { request, person } = asked
    if (form.get('do') !== 'allow') return seeOther(connect.deny(request))
    const places = await this.#parts.people.accountsOf(person.userId)
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
    const places: AccountOfPerson[] = await this.#parts.people.accountsOf(person.userId)
    const destination = destinationOf(request.redirectUri)
    if (places.length === 0) return noAccount(person.email)
    const proof = this.#parts.services.vault.derive(PROOF, subjectOf(asked))
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
      this.#parts.log.error({ err: error, requestId }, 'A page failed unexpectedly')
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

/** The policy allows the redirect after the form, because browsers also check redirects against `form-action`. */
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

function tooMany(seconds: number): Promise<Response> {
  return slowDown('This page was opened too many times in a short time.', seconds)
}

function failed(requestId: string): Promise<Response> {
  return refused(500, {
    title: 'Something went wrong on our side',
    words: `${NO_ACCESS_GIVEN} Start again from the program that you want to connect. If this happens again, give the operator of this service this number: ${requestId}.`,
  })
}
