import type { Stripe } from 'stripe'
import { raceAbort } from '../../../concurrency/race-abort.ts'
import { API_VERSIONS } from '../../api-versions.ts'
import { KeyRefusedError } from '../connector.ts'
import { UnknownOutcomeError } from '../provider.ts'
import { explained, type KeyOwner } from './faults.ts'

const LIVE_KEY = /^[sr]k_live_/
const KEY = /^[sr]k_(test|live)_[!-~]{6,}$/
const RESTRICTED_KEY = /^rk_/

const WHERE = "in Stripe's dashboard, under Developers, API keys"

export interface StripeOptions {
  secretKey: string
  owner: KeyOwner
  /** The platform's connected account for which requests are made. */
  stripeAccount?: string
  /** The URL of a local server for tests, such as `http://127.0.0.1:4000`. */
  apiUrl?: string | undefined
}

/** The time limit of a request. Payments at Stripe take a second or two, and a job looks up those that take longer. */
const TIMEOUT_MS = 10_000

/** A client of the Stripe library, which loads while the service starts, because test mode does not need its 40 MB. */
export class StripeClient {
  readonly #loaded: Promise<Stripe>
  readonly #owner: KeyOwner

  constructor(options: StripeOptions) {
    this.#owner = options.owner
    this.#loaded = load(options)
    // Requests that await `#loaded` report a load error.
    this.#loaded.catch(() => {})
  }

  get loaded(): Promise<Stripe> {
    return this.#loaded
  }

  /** Throws RefusedError, KeyRefusedError or UnknownOutcomeError, without a key or details of the buyer in the message. */
  async ask<Answer>(request: (stripe: Stripe) => Promise<Answer>, signal?: AbortSignal): Promise<Answer> {
    signal?.throwIfAborted()
    const stripe = await this.#loaded
    const answer = request(stripe).catch((error: unknown) => {
      throw explained(error, this.#owner)
    })
    // The library does not support signals, so an aborted request continues in the background.
    const abandoned = () => new UnknownOutcomeError('The request to Stripe was abandoned.')
    return signal ? raceAbort(answer, signal, abandoned) : answer
  }
}

async function load({ secretKey, stripeAccount, apiUrl }: StripeOptions): Promise<Stripe> {
  const { default: StripeLibrary } = await import('stripe')
  // The library does not retry, because jobs retry with growing delays.
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

export function isLiveKey(key: string): boolean {
  return LIVE_KEY.test(key)
}

/** Keys that are not restricted have all permissions. */
export function isRestrictedKey(key: string): boolean {
  return RESTRICTED_KEY.test(key)
}

/** Throws KeyRefusedError for a text that is not a secret key, so that the text is never sent. */
export function requireKey(key: string): void {
  const message = keyProblem(key)
  if (message) throw new KeyRefusedError(message, { owner: 'account', reason: 'key' })
}

function keyProblem(key: string): string | null {
  if (KEY.test(key)) return null
  if (key.startsWith('pk_'))
    return `This is a publishable key, which cannot take payments. Make a restricted key, which begins with rk_live_, ${WHERE}.`
  if (key.startsWith('whsec_'))
    return `This is the signing secret of a webhook. Make a restricted key, which begins with rk_live_, ${WHERE}.`
  return `This is not a key of Stripe. A restricted key begins with rk_live_, or with rk_test_ for payments that are not real; make one ${WHERE}.`
}
