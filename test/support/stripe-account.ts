import { StripeBank } from './stripe-bank.ts'
import { newId, type Params, StripeRefusal, type WebhookEndpoint } from './stripe-things.ts'

/** A secret key may do everything; a restricted one has permissions. */
export interface StripeKey {
  account: StripeAccount
  permissions: readonly string[] | 'all'
  state: 'good' | 'revoked' | 'expired'
}

export interface AccountOptions {
  id?: string
  name?: string | null
  live?: boolean
  /** The platform that created it. */
  platform?: StripeAccount | null
}

/** An account at the stand-in in one mode, with the data that only its own keys can access. */
export class StripeAccount {
  readonly id: string
  readonly name: string | null
  readonly live: boolean
  platform: StripeAccount | null
  /** Stripe tells a platform also that it has lost access. */
  readonly madeByPlatform: boolean
  readonly bank: StripeBank
  readonly endpoints = new Map<string, WebhookEndpoint>()
  /** Stripe's names of the fields that the owner still has to enter. */
  due: string[] = []
  chargesEnabled = true
  payoutsEnabled = true
  detailsSubmitted = true
  schedule: Record<string, unknown> = { interval: 'daily', delay_days: 2 }
  methods: Record<string, boolean> = { card: true, apple_pay: true, google_pay: true, link: false }

  constructor(
    pageUrl: () => string,
    { id, name = 'Kestrel Books', live = false, platform = null }: AccountOptions = {},
  ) {
    this.id = id ?? newId('acct')
    this.name = name
    this.live = live
    this.platform = platform
    this.madeByPlatform = platform !== null
    this.bank = new StripeBank(pageUrl, live, platform !== null)
  }

  /** Turns it into an account whose owner has not registered yet. */
  begins(): this {
    this.due = ['business_profile.url', 'individual.dob.day', 'external_account', 'tos_acceptance.date']
    this.chargesEnabled = this.payoutsEnabled = this.detailsSubmitted = false
    return this
  }

  /** The owner enters everything that Stripe asks for. */
  completes(): void {
    this.due = []
    this.chargesEnabled = this.payoutsEnabled = this.detailsSubmitted = true
    this.bank.emit('account.updated', this.shown())
  }

  /** The owner ends the access of the platform in the dashboard. */
  disconnects(): void {
    this.bank.emit('account.application.deauthorized', { id: 'ca_stand_in', object: 'application', name: 'Shopwright' })
    this.platform = null
  }

  shownInVersion2(): object {
    const common = { id: this.id, object: 'v2.core.account', livemode: this.live, display_name: this.name }
    return { ...common, applied_configurations: ['merchant'], dashboard: 'full', created: new Date().toISOString() }
  }

  shown(): object {
    return {
      id: this.id,
      object: 'account',
      business_profile: { name: this.name },
      charges_enabled: this.chargesEnabled,
      payouts_enabled: this.payoutsEnabled,
      details_submitted: this.detailsSubmitted,
      email: 'owner@example.com',
      requirements: { currently_due: this.due, past_due: [], pending_verification: [], disabled_reason: null },
      settings: { dashboard: { display_name: this.name }, payouts: { schedule: this.schedule } },
    }
  }

  shownMethods(): object {
    const preference = (on: boolean) => ({ preference: 'none', overridable: null, value: on ? 'on' : 'off' })
    const methods = Object.entries(this.methods).map(([method, on]) => [
      method,
      { available: on, display_preference: preference(on) },
    ])
    const common = { id: `pmc_${this.id}`, object: 'payment_method_configuration', name: 'Default', parent: null }
    const state = { active: true, is_default: true, application: null, livemode: this.live }
    return { ...common, ...state, ...Object.fromEntries(methods) }
  }

  makeEndpoint({ url, enabled_events, api_version, description }: Params): WebhookEndpoint {
    if (!/^https?:\/\//.test(String(url)))
      throw new StripeRefusal(400, 'Invalid URL: An explicit scheme must be provided.')
    if (this.endpoints.size >= 16)
      throw new StripeRefusal(400, 'You have reached the maximum of 16 test webhook endpoints.')
    const endpoint: WebhookEndpoint = {
      ...{ id: newId('we'), object: 'webhook_endpoint', url: String(url) },
      enabled_events: Object.values(enabled_events as Params).map(String),
      api_version: api_version === undefined ? null : String(api_version),
      description: description === undefined ? null : String(description),
      ...{ livemode: this.live, status: 'enabled', application: null, metadata: {}, secret: newId('whsec') },
    }
    this.endpoints.set(endpoint.id, endpoint)
    return endpoint
  }
}
