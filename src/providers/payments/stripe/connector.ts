import { createHash } from 'node:crypto'
import type { Stripe } from 'stripe'
import { only, replacing } from '../../../errors.ts'
import { listed } from '../../../format/lists.ts'
import { sentenceCase } from '../../../format/sentences.ts'
import { API_VERSIONS } from '../../api-versions.ts'
import {
  type ConnectedAccount,
  type Connection,
  ConnectionRefusedError,
  type Credentials,
  KeyRefusedError,
  type NewProviderAccount,
  type OnboardingRequest,
  type PaymentConnector,
  type PaymentPlatform,
  type PlatformNotice,
} from '../connector.ts'
import { type PaymentProvider, UnknownOutcomeError } from '../provider.ts'
import { isLiveKey, isRestrictedKey, requireKey, StripeClient } from './client.ts'
import { lackOf, MissingError, PermissionMissingError, RefusedError } from './faults.ts'
import { EVENT_TYPES, isRead, verifiedEvent } from './notices.ts'
import { HELPFUL, NEEDED, newKeyUrl } from './permissions.ts'
import { StripeProvider } from './provider.ts'

/** The number of webhook endpoints that are listed; Stripe allows 16 in each mode. */
const MOST_ENDPOINTS = 100
const ENDPOINT_DESCRIPTION = 'Tells Shopwright about payments, refunds and disputes'

interface ConnectorName {
  name: string
  title: string
}

export class StripeConnector implements PaymentConnector {
  readonly name: string
  readonly title: string
  readonly permissions = NEEDED.map(({ title }) => title)
  readonly newKeyUrl = newKeyUrl
  readonly platform: StripePlatform | null
  readonly #apiUrl: string | undefined

  constructor({ name, title }: ConnectorName, platform: StripePlatform | null, apiUrl: string | undefined) {
    this.name = name
    this.title = title
    this.platform = platform
    this.#apiUrl = apiUrl
  }

  async inspect(credentials: Credentials, signal?: AbortSignal): Promise<ConnectedAccount> {
    const { client, live } = this.#opened(credentials)
    const account = await readable(client.ask((stripe) => stripe.accounts.retrieveCurrent(), signal))
    if (credentials.by === 'key' && isRestrictedKey(credentials.key)) await requirePermissions(client, signal)
    const list = (stripe: Stripe) => stripe.paymentMethodConfigurations.list({ limit: 100 })
    const methods = await readable(client.ask(list, signal))
    const goLive =
      credentials.by === 'key'
        ? 'Connect Stripe with a live key, which begins with rk_live_.'
        : 'Payments become real when the operator of this service sets a live key of Stripe.'
    const id = account.id ?? this.#idOf(credentials)
    return described({ id, live, account: account.answer, methods: methods.answer?.data ?? null, goLive })
  }

  async listen(key: string, url: string, signal?: AbortSignal): Promise<{ id: string; secret: string }> {
    requireKey(key)
    const client = this.#clientOf(key)
    try {
      const list = (stripe: Stripe) => stripe.webhookEndpoints.list({ limit: MOST_ENDPOINTS })
      for (const earlier of (await client.ask(list, signal)).data)
        if (earlier.url === url) await client.ask((stripe) => stripe.webhookEndpoints.del(earlier.id), signal)
      const { id, secret } = await client.ask((stripe) => stripe.webhookEndpoints.create(endpointAt(url)), signal)
      if (!secret) throw new UnknownOutcomeError('Stripe did not tell the signing secret of the webhook.')
      return { id, secret }
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error
      throw new ConnectionRefusedError(`Stripe does not post notices to this service: ${error.message}`)
    }
  }

  async stopListening(key: string, id: string, signal?: AbortSignal): Promise<void> {
    const asked = this.#clientOf(key).ask((stripe) => stripe.webhookEndpoints.del(id), signal)
    await asked.catch(only(MissingError, () => {}))
  }

  open(connection: Connection): PaymentProvider {
    const { credentials, name, accountId, noticesPath, noticesSecrets } = connection
    const { client, live } = this.#opened(credentials)
    const common = { name, title: this.title, live, client, accountId }
    const missing = live ? [] : ['Connect Stripe with a live key.']
    if (credentials.by === 'key') return new StripeProvider({ ...common, missing, noticesPath, noticesSecrets })
    const { noticesSecrets: secrets, feeBasisPoints } = this.#platform()
    const platform = { stripeAccount: credentials.providerAccount, feeBasisPoints }
    return new StripeProvider({ ...common, ...platform, missing, noticesPath: null, noticesSecrets: secrets })
  }

  #opened(credentials: Credentials): { client: StripeClient; live: boolean } {
    if (credentials.by === 'platform') {
      const { providerAccount, live } = credentials
      return { client: this.#platform().clientFor(providerAccount, live), live }
    }
    requireKey(credentials.key)
    return { client: this.#clientOf(credentials.key), live: isLiveKey(credentials.key) }
  }

  #clientOf(secretKey: string): StripeClient {
    return new StripeClient({ secretKey, owner: 'account', apiUrl: this.#apiUrl })
  }

  #platform(): StripePlatform {
    if (this.platform) return this.platform
    throw new KeyRefusedError('This service no longer connects accounts by its own account at Stripe.', {
      owner: 'service',
      reason: 'access',
    })
  }

  /** Throws if the key may not read the account and Stripe's error did not name it. */
  #idOf(credentials: Credentials): string {
    if (credentials.by === 'platform') return credentials.providerAccount
    const [{ slugs }] = HELPFUL
    throw new PermissionMissingError(lackOf(slugs[0]), 'account', null)
  }
}

function endpointAt(url: string): Stripe.WebhookEndpointCreateParams {
  return {
    ...{ url, enabled_events: [...EVENT_TYPES], description: ENDPOINT_DESCRIPTION },
    api_version: API_VERSIONS.stripe.version,
  }
}

/** Returns null if the key lacks the permission. Stripe's error then names the account. */
async function readable<Answer extends object>(
  asked: Promise<Answer>,
): Promise<{ answer: Answer | null; id: string | null }> {
  try {
    const answer = await asked
    return { answer, id: 'id' in answer ? String(answer.id) : null }
  } catch (error) {
    if (!(error instanceof PermissionMissingError) || error.owner === 'service') throw error
    return { answer: null, id: error.account }
  }
}

/** Throws KeyRefusedError with all missing permissions of a key. */
async function requirePermissions(client: StripeClient, signal?: AbortSignal): Promise<void> {
  const lacking = await Promise.all(
    NEEDED.map(async ({ title, probe }) => ((await mayAsk(client.ask(probe, signal))) ? [] : title)),
  )
  const titles = lacking.flat()
  if (titles.length === 0) return
  const message = `The Stripe key lacks ${titles.length === 1 ? 'a permission' : 'permissions'}: ${titles.join(', ')}. Edit the key in Stripe's dashboard, or make another one.`
  throw new KeyRefusedError(message, { owner: 'account', reason: 'permission' })
}

function mayAsk(probe: Promise<unknown>): Promise<boolean> {
  return probe
    .then(() => true)
    .catch(only(PermissionMissingError, () => false))
    .catch(only(RefusedError, () => true))
}

const ACCOUNT_CHANGED = 'account.updated'
const DISCONNECTED = 'account.application.deauthorized'
const BASIS_POINTS_OF_PERCENT = 100

interface PlatformOptions {
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
    const { id } = await this.#client.ask(create, request.signal).catch(notConnected)
    return id
  }

  async onboardingUrl({ providerAccount, returnUrl, refreshUrl, signal }: OnboardingRequest): Promise<string> {
    const account_onboarding = { return_url: returnUrl, refresh_url: refreshUrl }
    const use_case = { type: 'account_onboarding', account_onboarding }
    const create = (stripe: Stripe) => stripe.v2.core.accountLinks.create({ account: providerAccount, use_case })
    const { url } = await this.#client.ask(create, signal).catch(notConnected)
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

const notConnected = replacing(
  RefusedError,
  ({ message }) => new ConnectionRefusedError(`Stripe does not connect the account: ${message}`),
)

/** The name of card payments. Apple Pay and Google Pay count as cards in our Checkout Sessions. */
const CARDS = 'Cards'
const METHODS = [
  ['card', CARDS],
  ['apple_pay', 'Apple Pay'],
  ['google_pay', 'Google Pay'],
  ['link', 'Link'],
] as const

/** The prefixes of Stripe's names for missing requirements, with sentences for them. */
const STEPS: readonly [beginning: RegExp, step: string][] = [
  [/^business_(profile|type)/, 'Describe the business at Stripe.'],
  [/^(company|documents)/, 'Enter the details of the company at Stripe.'],
  [
    /^(individual|person_|representative|owners|directors|executives|relationship)/,
    'Enter the details of the people who own or run the business at Stripe.',
  ],
  [/^(external_account|bank_account)/, 'Add a bank account for payouts at Stripe.'],
  [/^tos_acceptance/, 'Accept the terms of service at Stripe.'],
]
const OTHER_STEP = "Answer what Stripe asks for in the account's dashboard."

/** Fields that a restricted key may not read are null. */
interface StripeAccountData {
  id: string
  live: boolean
  account: Stripe.Account | null
  methods: readonly Stripe.PaymentMethodConfiguration[] | null
  goLive: string
}

function described({ id, live, account, methods, goLive }: StripeAccountData): ConnectedAccount {
  return {
    ...{ id, live, name: account && nameOf(account), methods: methodsOf(methods) },
    takesPayments: account?.charges_enabled ?? true,
    payouts: account && {
      enabled: account.payouts_enabled,
      schedule: scheduleOf(account.settings?.payouts?.schedule),
    },
    missing: [...(account ? stepsOf(account) : []), ...(live ? [] : [goLive])],
  }
}

function nameOf({ business_profile, settings, email }: Stripe.Account): string | null {
  return settings?.dashboard.display_name || business_profile?.name || email || null
}

function methodsOf(configurations: StripeAccountData['methods']): string[] {
  const active = configurations?.filter((one) => one.active) ?? []
  const used = active.find((one) => one.is_default) ?? active[0]
  if (!used) return [CARDS]
  return METHODS.flatMap(([name, title]) => (used[name]?.available ? title : []))
}

function stepsOf({ requirements, charges_enabled, details_submitted }: Stripe.Account): string[] {
  const due = [...(requirements?.past_due ?? []), ...(requirements?.currently_due ?? [])]
  const asked = due.map((name) => STEPS.find(([beginning]) => beginning.test(name))?.[1] ?? OTHER_STEP)
  if (asked.length > 0) return [...new Set(asked)]
  if (charges_enabled) return []
  if (!details_submitted) return ['Finish the registration of the account at Stripe.']
  return (requirements?.pending_verification ?? []).length > 0
    ? ['Wait until Stripe has checked what was entered.']
    : [OTHER_STEP]
}

type Schedule = NonNullable<NonNullable<Stripe.Account['settings']>['payouts']>['schedule']

function scheduleOf(schedule: Schedule | undefined): string | null {
  const { interval, weekly_anchor, weekly_payout_days, monthly_anchor, monthly_payout_days } = schedule ?? {}
  const weekdays = (weekly_payout_days ?? (weekly_anchor ? [weekly_anchor] : [])).map(sentenceCase)
  const days = monthly_payout_days ?? (monthly_anchor ? [monthly_anchor] : [])
  if (interval === 'daily') return 'every business day'
  if (interval === 'weekly') return weekdays.length > 0 ? `every ${listed(weekdays)}` : 'every week'
  if (interval === 'monthly') return days.length > 0 ? `every month on day ${listed(days.map(String))}` : 'every month'
  return interval === 'manual' ? 'by hand' : null
}
