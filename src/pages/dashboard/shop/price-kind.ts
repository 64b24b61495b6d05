import { html } from 'hono/html'
import type { Shown } from '../../../resources/nouns.ts'
import type { BodyFields } from '../../../resources/operation-types.ts'
import type { Page } from '../../parts/markup.ts'

type Price = Shown<'price_variant'>
type PriceField = keyof BodyFields<'POST /price_variants'> & string

interface Kind {
  kind: string
  billing: Price['billing_type']
  amount: Price['amount_type']
  words: string
  hint: string
}

/** The kinds of prices as merchants see them. Each kind sets two fields of the API. */
export const KINDS = [
  { kind: 'once', billing: 'one_time', amount: 'fixed', words: 'One-time', hint: 'A fixed price.' },
  {
    kind: 'subscription',
    billing: 'subscription',
    amount: 'fixed',
    words: 'Subscription',
    hint: 'A fixed price, charged every period.',
  },
  {
    kind: 'once-custom',
    billing: 'one_time',
    amount: 'custom',
    words: 'Buyers choose the price',
    hint: 'A one-time payment, with optional limits.',
  },
  {
    kind: 'subscription-custom',
    billing: 'subscription',
    amount: 'custom',
    words: 'Subscription, buyers choose the price',
    hint: 'They choose an amount once and pay it every period.',
  },
  { kind: 'free', billing: 'free', amount: 'free', words: 'Free', hint: 'Nothing is charged.' },
] as const satisfies readonly Kind[]

const SUBSCRIPTION: readonly PriceField[] = [
  'recurring_interval',
  'interval_count',
  'installment_count',
  'setup_fee_amount',
  'trial_period_days',
]
const CUSTOM: readonly PriceField[] = ['minimum_amount', 'maximum_amount', 'preset_amount']
const FIXED: readonly PriceField[] = ['amount', 'discounted_from_amount']

export function kindControl(value: (name: 'billing_type' | 'amount_type') => string): Page {
  const chosen = kindNamed(value('billing_type'), value('amount_type'))
  const radios = KINDS.map(
    ({ kind, words, hint }) =>
      html`<label class="shop-kind"><input type="radio" name="kind" value="${kind}"${kind === chosen.kind ? html` checked` : ''}> <span><strong>${words}</strong><br><span class="soft">${hint}</span></span></label>`,
  )
  return html`<div class="shop-kinds" id="field-billing_type">${radios}</div>`
}

export function kindNamed(billing_type: string, amount_type: string): (typeof KINDS)[number] {
  const [billing, amount] = [billing_type || 'one_time', amount_type || 'fixed']
  return (
    KINDS.find((one) => one.billing === billing && one.amount === amount) ??
    KINDS.find((one) => one.billing === billing) ??
    KINDS[0]
  )
}

/** Replaces the kind with its two API fields, and removes inputs that the page hides for this kind, which may hold old values. */
export function readKind(form: URLSearchParams): void {
  const chosen = KINDS.find(({ kind }) => kind === form.get('kind'))
  if (!chosen) return
  form.set('billing_type', chosen.billing)
  form.set('amount_type', chosen.amount)
  const isSubscription = chosen.billing === 'subscription'
  const unfit = [
    ...(isSubscription ? [] : SUBSCRIPTION),
    ...(chosen.amount === 'custom' ? [] : CUSTOM),
    ...(chosen.amount === 'fixed' ? [] : FIXED),
  ]
  for (const name of unfit) form.delete(name)
}
