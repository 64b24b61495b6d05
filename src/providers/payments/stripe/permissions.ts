import type { Stripe } from 'stripe'

/** The dashboard pages for creating a restricted key, which take its name and permissions from the URL. */
const NEW_KEY_PAGES = {
  live: 'https://dashboard.stripe.com/apikeys/create',
  test: 'https://dashboard.stripe.com/test/apikeys/create',
}
const KEY_NAME = 'Shopwright'

/** A permission of restricted keys: https://docs.stripe.com/keys#limit-access. */
export interface Permission {
  /** The name in the dashboard, such as `Checkout Sessions: Write`. */
  title: string
  /** The names in errors and in dashboard URLs; the dashboard shows some of them as one permission. */
  slugs: readonly string[]
}

interface NeededPermission extends Permission {
  /** Sends a request that needs the permission but changes nothing: its object does not exist, and Stripe checks permissions first. */
  probe(stripe: Stripe): Promise<unknown>
}

export const NEEDED: readonly NeededPermission[] = [
  {
    title: 'Checkout Sessions: Write',
    slugs: ['checkout_session_write'],
    probe: ({ checkout }) => checkout.sessions.expire('cs_unknown'),
  },
  {
    title: 'PaymentIntents: Write',
    slugs: ['payment_intent_write'],
    probe: ({ paymentIntents }) => paymentIntents.cancel('pi_unknown'),
  },
  {
    title: 'SetupIntents: Read',
    slugs: ['setup_intent_read'],
    probe: ({ setupIntents }) => setupIntents.retrieve('seti_unknown'),
  },
  {
    title: 'PaymentMethods: Read',
    slugs: ['payment_method_read'],
    probe: ({ paymentMethods }) => paymentMethods.retrieve('pm_unknown'),
  },
  {
    title: 'Charges and Refunds: Write',
    slugs: ['charge_write', 'refund_write'],
    probe: ({ refunds }) => refunds.create({ payment_intent: 'pi_unknown' }),
  },
  {
    title: 'Disputes: Write',
    slugs: ['dispute_write'],
    probe: ({ disputes }) => disputes.close('du_unknown'),
  },
  {
    title: 'Webhook Endpoints: Write',
    slugs: ['webhook_write'],
    probe: ({ webhookEndpoints }) => webhookEndpoints.del('we_unknown'),
  },
]

/** Optional permissions, which only add details to the description of a connected account. */
export const HELPFUL: readonly [Permission, ...Permission[]] = [
  { title: 'Accounts: Read', slugs: ['connected_account_read', 'accounts_kyc_basic_read'] },
  { title: 'Payment Method Configurations: Read', slugs: ['payment_method_configurations_read'] },
]

const ALL = [...NEEDED, ...HELPFUL]

/** Returns the title of the permission that an error's slug belongs to, or an unknown slug unchanged. */
export function permissionTitle(slug: string): string {
  const resource = resourceOf(slug)
  return ALL.find(({ slugs }) => slugs.some((one) => resourceOf(one) === resource))?.title ?? slug
}

function resourceOf(slug: string): string {
  return slug.replace(/_(read|write)$/, '')
}

export function newKeyUrl(live: boolean): string {
  const url = new URL(live ? NEW_KEY_PAGES.live : NEW_KEY_PAGES.test)
  url.searchParams.set('name', KEY_NAME)
  for (const slug of ALL.flatMap(({ slugs }) => slugs)) url.searchParams.append('permissions[]', `rak_${slug}`)
  return url.href
}
