import { createHash } from 'node:crypto'
import type { Stripe } from 'stripe'
import {
  ConnectionRefusedError,
  KeyRefusedError,
  type NewProviderAccount,
  type OnboardingRequest,
  type PaymentPlatform,
  type PlatformNotice,
} from '../connector.ts'
import { isLiveKey, StripeClient } from './client.ts'
import { isRead, verifiedEvent } from './notices.ts'
import { RefusedError } from './refused.ts'

const ACCOUNT_CHANGED = 'account.updated'
const DISCONNECTED = 'account.application.deauthorized'
const BASIS_POINTS_OF_PERCENT = 100

export interface PlatformOptions {
  secretKey: string
  apiUrl: string | undefined
  noticesPath: string
  noticesSecrets: readonly string[]
  /** The percentage of each payment that the operator keeps. */
  feePercent: number
}

/** The service as a Stripe Connect platform. The merchant receives payments directly, pays Stripe's fees and bears disputes. */
export class StripePlatform implements PaymentPlatform {
  readonly live: boolean
  readonly noticesPath: string
  readonly noticesSecrets: readonly string[]
  readonly feeBasisPoints: number
  readonly #options: PlatformOptions
  readonly #client: StripeClient

  constructor(options: PlatformOptions) {
    this.#options = options
    this.live = isLiveKey(options.secretKey)
    this.noticesPath = options.noticesPath
    this.noticesSecrets = options.noticesSecrets
    this.feeBasisPoints = Math.round(options.feePercent * BASIS_POINTS_OF_PERCENT)
    this.#client = this.#clientOf()
  }

  async createAccount(request: NewProviderAccount): Promise<string> {
    const params = accountOf(request)
    const idempotencyKey = `account-${request.accountId}-${digestOf(params)}`
    const create = (stripe: Stripe) => stripe.v2.core.accounts.create(params, { idempotencyKey })
    const { id } = await orRefused(this.#client.ask(create, request.signal))
    return id
  }

  async onboardingUrl({ providerAccount, returnUrl, refreshUrl, signal }: OnboardingRequest): Promise<string> {
    const account_onboarding = { return_url: returnUrl, refresh_url: refreshUrl }
    const use_case = { type: 'account_onboarding', account_onboarding }
    const create = (stripe: Stripe) => stripe.v2.core.accountLinks.create({ account: providerAccount, use_case })
    const { url } = await orRefused(this.#client.ask(create, signal))
    return url
  }

  async addressee(body: Uint8Array, header: (name: string) => string | null): Promise<PlatformNotice | null> {
    const stripe = await this.#client.loaded
    const signed = { raw: body, signature: header('stripe-signature') }
    const event = verifiedEvent(stripe, signed, this.noticesSecrets)
    const { account, livemode } = event
    const kind = kindOf(event)
    // A live endpoint also receives events of test mode, which are ignored.
    return account && kind && livemode === this.live ? { providerAccount: account, kind } : null
  }

  /** Throws KeyRefusedError for an account of the other mode, which the service's key cannot access. */
  clientFor(stripeAccount: string, live: boolean): StripeClient {
    if (live === this.live) return this.#clientOf(stripeAccount)
    const [was, is] = live ? ['live', 'a test'] : ['test', 'a live']
    const message = `The Stripe account was connected in ${was} mode, and this service now uses ${is} key. Connect it again.`
    throw new KeyRefusedError(message, { owner: 'account', reason: 'access' })
  }

  #clientOf(stripeAccount?: string): StripeClient {
    const { secretKey, apiUrl } = this.#options
    return new StripeClient({ secretKey, apiUrl, owner: 'platform', ...(stripeAccount && { stripeAccount }) })
  }
}

function kindOf(event: Stripe.Event): PlatformNotice['kind'] | null {
  if (event.type === ACCOUNT_CHANGED || event.type === DISCONNECTED) return 'account'
  return isRead(event) ? 'payment' : null
}

/** The merchant gets the full dashboard, and Stripe collects fees and losses: https://docs.stripe.com/connect/saas/tasks/create. */
function accountOf({ accountId, name, email, country }: NewProviderAccount): Stripe.V2.Core.AccountCreateParams {
  return {
    ...{ display_name: name, contact_email: email, dashboard: 'full' },
    defaults: { responsibilities: { fees_collector: 'stripe', losses_collector: 'stripe' } },
    configuration: { merchant: { capabilities: { card_payments: { requested: true } } } },
    metadata: { account: accountId },
    ...(country && { identity: { country } }),
  }
}

/** A hash of the request belongs in its idempotency key, because Stripe refuses a key that was used for a different request. */
function digestOf(params: object): string {
  return createHash('sha256').update(JSON.stringify(params)).digest('base64url')
}

async function orRefused<Answer>(asked: Promise<Answer>): Promise<Answer> {
  try {
    return await asked
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error
    throw new ConnectionRefusedError(`Stripe does not connect the account: ${error.message}`)
  }
}
