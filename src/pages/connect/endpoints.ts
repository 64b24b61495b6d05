import { networkOf } from '../../access/network.ts'
import type { Connect } from '../../access/oauth/connect.ts'
import { OAuthError } from '../../access/oauth/errors.ts'
import type { People } from '../../access/people/people.ts'
import { ApiError } from '../../contract/declarations/errors.ts'
import { waitInWords } from '../../format/durations.ts'
import { parseJson } from '../../pipeline/body-reader.ts'
import { databaseRefusal } from '../../pipeline/database-refusal.ts'
import type { RatePolicy } from '../../pipeline/rate-limit.ts'
import { FORM_LIMIT_BYTES, readForm } from '../parts/form.ts'
import { PageOf, type PageParts, type PageRequest } from '../parts/page-parts.ts'

/** The limit on client registrations of one network: an office can register all its clients at once, and then one a minute. */
const REGISTRATIONS = { name: 'registrations', perMinute: 1, burst: 30 }
/** The limit on token exchanges of one network. A service for many people sends all their requests from a few addresses. */
const EXCHANGES = { name: 'exchanges', perMinute: 600, burst: 600 }

/** Other origins may call the endpoints, because no cookies are used and requests carry their own secrets. */
const CORS_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
}

/** The OAuth endpoints that clients call. Requests and responses have the formats of OAuth. */
export class ConnectEndpoints extends PageOf<ConnectPageParts> {
  register = (incoming: PageRequest): Promise<Response> =>
    this.#answered(incoming, REGISTRATIONS, async () => {
      const { request, header, address } = incoming
      const body = { request, header, accountId: `registrations of ${address}`, limitBytes: FORM_LIMIT_BYTES }
      const given = await this.parts.bodies.read(body, parseJson)
      return Response.json(await this.parts.connect.register(given), { status: 201, headers: CORS_HEADERS })
    })

  token = (incoming: PageRequest): Promise<Response> =>
    this.#answered(incoming, EXCHANGES, async () =>
      Response.json(await this.parts.connect.exchange(await this.#formOf(incoming)), { headers: CORS_HEADERS }),
    )

  revoke = (incoming: PageRequest): Promise<Response> =>
    this.#answered(incoming, EXCHANGES, async () => {
      await this.parts.connect.revoke(await this.#formOf(incoming))
      return new Response(null, { status: 200, headers: CORS_HEADERS })
    })

  metadata(document: object): Response {
    return Response.json(document, { headers: { ...CORS_HEADERS, 'Cache-Control': 'public, max-age=300' } })
  }

  options(methods: string): Response {
    const headers = {
      ...CORS_HEADERS,
      Allow: `${methods}, OPTIONS`,
      'Access-Control-Allow-Methods': methods,
      'Access-Control-Allow-Headers': 'Content-Type, Authorization, MCP-Protocol-Version',
      'Access-Control-Max-Age': '600',
    }
    return new Response(null, { status: 204, headers })
  }

  wrongMethod(method: string, allowed: string): Response {
    const problem = new OAuthError('invalid_request', `${method} is not allowed here. Allowed: ${allowed}.`)
    return Response.json(problem.body(), { status: 405, headers: { ...CORS_HEADERS, Allow: `${allowed}, OPTIONS` } })
  }

  /** Rejects repeated parameters (RFC 6749, section 3.2), except `resource` (RFC 8707). */
  async #formOf(incoming: PageRequest): Promise<URLSearchParams> {
    const form = await readForm(this.parts.bodies, incoming)
    const repeated = [...new Set(form.keys())].find((name) => name !== 'resource' && form.getAll(name).length > 1)
    if (repeated) throw new OAuthError('invalid_request', `${repeated} is given more than once.`)
    return form
  }

  async #answered(
    { address, requestId }: PageRequest,
    policy: RatePolicy,
    answer: () => Promise<Response>,
  ): Promise<Response> {
    const wait = await this.parts.takeTurn(networkOf(address), policy)
    if (wait > 0) return tooMany(wait)
    try {
      return await answer()
    } catch (error) {
      if (error instanceof OAuthError)
        return Response.json(error.body(), { status: error.status, headers: CORS_HEADERS })
      if (error instanceof ApiError) return refusal(error.status, 'invalid_request', error.message, error.headers)
      this.parts.log.error({ err: error, requestId }, 'A request for tokens failed unexpectedly')
      const busy = databaseRefusal(error)
      if (busy) return refusal(busy.status, 'temporarily_unavailable', busy.message, busy.headers)
      return refusal(500, 'server_error', `Something went wrong on our side. The request was ${requestId}.`)
    }
  }
}

function tooMany(seconds: number): Response {
  const words = `Too many requests came from this address. Try again in ${waitInWords(seconds)}.`
  return refusal(429, 'temporarily_unavailable', words, { 'Retry-After': String(seconds) })
}

function refusal(status: number, error: string, error_description: string, headers: Record<string, string> = {}) {
  return Response.json({ error, error_description }, { status, headers: { ...CORS_HEADERS, ...headers } })
}

export interface ConnectPageParts extends PageParts {
  connect: Connect
  people: Pick<People, 'personOf' | 'accountsOf'>
}
