import type { Stripe } from 'stripe'
import { unlessAborted } from '../../../unless-aborted.ts'
import { API_VERSIONS } from '../../api-versions.ts'
import { declineCodeOf } from './decline-codes.ts'
import { RefusedError, UnknownOutcomeError } from './refused.ts'

export interface StripeOptions {
  secretKey: string
  /** More than one while a new secret takes the place of an old one. */
  webhookSecrets: readonly string[]
  /** Of a local server in tests, such as `http://127.0.0.1:4000`. */
  apiUrl?: string | undefined
}

/** A payment at Stripe takes a second or two; one that takes longer is asked about again by the job. */
const TIMEOUT_MS = 10_000
/** Characters; what is stored of a failure has 500. */
const LONGEST_MESSAGE = 300

/** The library as this adapter uses it. It is loaded while the service starts, since it takes 40 MB that test mode can do without. */
export class StripeClient {
  readonly #loaded: Promise<Stripe>

  constructor(options: StripeOptions) {
    this.#loaded = load(options)
    // The requests that need it say so.
    this.#loaded.catch(() => {})
  }

  get loaded(): Promise<Stripe> {
    return this.#loaded
  }

  /**
   * Sends one request. Throws RefusedError when Stripe has refused it, and UnknownOutcomeError when it may have been carried
   * out or can succeed later. Neither holds a key, nor what Stripe knows of the buyer.
   */
  async ask<Answer>(request: (stripe: Stripe) => Promise<Answer>, signal?: AbortSignal): Promise<Answer> {
    signal?.throwIfAborted()
    const stripe = await this.#loaded
    const answer = request(stripe).catch((error: unknown) => {
      throw explained(error)
    })
    // The library takes no signal, so the request goes on and is no longer waited for.
    const abandoned = () => new UnknownOutcomeError('The request to Stripe was abandoned.')
    return signal ? unlessAborted(answer, signal, abandoned) : answer
  }
}

async function load({ secretKey, apiUrl }: StripeOptions): Promise<Stripe> {
  const { default: StripeLibrary } = await import('stripe')
  // Jobs try again, later and later; the library would do so within their time.
  const apiVersion = API_VERSIONS.stripe.version
  const options = { apiVersion, timeout: TIMEOUT_MS, maxNetworkRetries: 0, telemetry: false }
  return new StripeLibrary(secretKey, { ...options, ...addressOf(apiUrl) })
}

function addressOf(apiUrl: string | undefined) {
  if (apiUrl === undefined) return {}
  const { hostname, port, protocol } = new URL(apiUrl)
  const isPlain = protocol === 'http:'
  return {
    host: hostname,
    port: port || (isPlain ? 80 : 443),
    protocol: isPlain ? ('http' as const) : ('https' as const),
  }
}

/** The fields of the library's errors that are read. Others hold customers, cards and client secrets, so none is passed on. */
interface StripeFault {
  type?: unknown
  message?: unknown
  code?: unknown
  decline_code?: unknown
  requestId?: unknown
  payment_intent?: { id?: unknown }
}

/** What an error of the library means: https://docs.stripe.com/api/errors. */
function explained(error: unknown): Error {
  const fault = error as StripeFault
  const message = withoutSecrets(String(fault.message ?? error)).slice(0, LONGEST_MESSAGE)
  switch (fault.type) {
    case 'StripeCardError':
    case 'StripeInvalidRequestError':
      return new RefusedError(
        message,
        typeof fault.payment_intent?.id === 'string' ? fault.payment_intent.id : null,
        declineCodeOf(fault),
      )
    case 'StripeAuthenticationError':
    case 'StripePermissionError':
      return new UnknownOutcomeError(
        `Stripe does not accept STRIPE_SECRET_KEY for this request: correct it.${traceOf(fault)}`,
      )
    default:
      return new UnknownOutcomeError(`Stripe did not report the result of the request: ${message}${traceOf(fault)}`)
  }
}

/** What Stripe's support asks for. */
function traceOf({ requestId, code }: StripeFault): string {
  const parts = [code && `code ${code}`, requestId && `request ${requestId}`].filter(Boolean)
  return parts.length > 0 ? ` (${parts.join(', ')})` : ''
}

function withoutSecrets(message: string): string {
  return message.replaceAll(/\b(sk|rk|pk|whsec)_\S+|_secret_\S+/g, '[secret]')
}
