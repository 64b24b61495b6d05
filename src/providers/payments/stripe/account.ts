import type { Stripe } from 'stripe'
import { listed } from '../../../format/lists.ts'
import { sentenceCase } from '../../../format/sentences.ts'
import type { ConnectedAccount } from '../connector.ts'

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
export interface StripeAccountData {
  id: string
  live: boolean
  account: Stripe.Account | null
  methods: readonly Stripe.PaymentMethodConfiguration[] | null
  goLive: string
}

export function described({ id, live, account, methods, goLive }: StripeAccountData): ConnectedAccount {
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
