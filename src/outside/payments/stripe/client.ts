import type { Stripe } from 'stripe'
import { unlessAborted } from '../../../unless-aborted.ts'
import { API_VERSIONS } from '../../api-versions.ts'
import { explained, type KeyOwner } from './faults.ts'
import { UnknownOutcomeError } from './refused.ts'

export interface StripeOptions {
  secretKey: string
  owner: KeyOwner
  /** The account of a platform that requests are made for. */
  stripeAccount?: string
  /** Of a local server in tests, such as `http://127.0.0.1:4000`. */
  apiUrl?: string | undefined
}

/** A payment at Stripe takes a second or two; one that takes longer is asked about again by the job. */
const TIMEOUT_MS = 10_000

/** The library as this adapter uses it. It is loaded while the service starts, since it takes 40 MB that test mode can do without. */
export class StripeClient {
  readonly #loaded: Promise<Stripe>
  readonly #owner: KeyOwner

  constructor(options: StripeOptions) {
    this.#owner = options.owner
    this.#loaded = load(options)
    // The requests that need it say so.
    this.#loaded.catch(() => {})
  }

  get loaded(): Promise<Stripe> {
    return this.#loaded
  }

  /**
   * Sends one request. Throws RefusedError when Stripe has refused it, KeyRefusedError when it does not take the key, and
   * UnknownOutcomeError when it may have been carried out or can succeed later. No error holds a key or details of the buyer.
   */
  async ask<Answer>(request: (stripe: Stripe) => Promise<Answer>, signal?: AbortSignal): Promise<Answer> {
    signal?.throwIfAborted()
    const stripe = await this.#loaded
    const answer = request(stripe).catch((error: unknown) => {
      throw explained(error, this.#owner)
    })
    // The library takes no signal, so the request goes on and is no longer waited for.
    const abandoned = () => new UnknownOutcomeError('The request to Stripe was abandoned.')
    return signal ? unlessAborted(answer, signal, abandoned) : answer
  }
}

async function load({ secretKey, stripeAccount, apiUrl }: StripeOptions): Promise<Stripe> {
  const { default: StripeLibrary } = await import('stripe')
  // Jobs try again, later and later; the library would do so within their time.
  const apiVersion = API_VERSIONS.stripe.version
  const options = { apiVersion, timeout: TIMEOUT_MS, maxNetworkRetries: 0, telemetry: false }
  return new StripeLibrary(secretKey, { ...options, ...(stripeAccount && { stripeAccount }), ...addressOf(apiUrl) })
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
