import type { CollectRequest, PaymentOutcome, PaymentProvider } from '../../../src/providers/payments/provider.ts'
import { createPayments } from '../../../src/providers/payments/registry.ts'
import type { StripeAccount } from '../../support/stripe-account.ts'
import { StripeServer } from '../../support/stripe-server.ts'
import type { CardAnswer } from '../../support/stripe-things.ts'

export const accountId = 'acct_01'
export const returnUrl = 'https://shop.example/checkouts/1?secret=s'

/** The test cards that answer like the cards of the stand-in. */
const TEST_CARDS: Partial<Record<CardAnswer, string>> = {
  pays: '4242 4242 4242 4242',
  declined: '4000000000000002',
  fails_later: '4000-0000-0000-0341',
  no_refund: '4000000000005126',
}

let made = 0

/** The id of a new payment or refund. */
export const newKey = () => `pay_${++made}`

/** What a buyer is asked to pay, with a key of its own. */
export function request(more: Partial<CollectRequest> = {}): CollectRequest {
  const money = { amount: 2900, currency: 'usd' }
  const buyer = { email: 'ada@example.com', description: 'Ruby handbook', saveMethod: true, returnUrl }
  return { accountId, key: newKey(), ...money, ...buyer, ...more }
}

/** A provider with a buyer in front of it. */
export interface Till {
  provider: PaymentProvider
  /** The buyer answers with a card, on our page or on the provider's; gives what `lookUp` says after that. */
  pay(card: CardAnswer, more?: Partial<CollectRequest>): Promise<PaymentOutcome>
  close(): Promise<void>
}

export const tills: { name: string; open(): Promise<Till> }[] = [
  { name: 'test', open: openTestTill },
  { name: 'stripe', open: openStripeTill },
]

async function openTestTill(): Promise<Till> {
  const provider = createPayments({}).providerFor({ test: true })
  return {
    provider,
    pay: (card, more) => provider.collect(request({ card: TEST_CARDS[card]!, ...more })),
    async close() {},
  }
}

export interface StripeTill extends Till {
  server: StripeServer
}

/** A buyer pays at an account of the stand-in; gives what `lookUp` says after that. */
export async function payAt(
  { bank }: StripeAccount,
  provider: PaymentProvider,
  card: CardAnswer = 'pays',
  more?: Partial<CollectRequest>,
): Promise<PaymentOutcome> {
  const asked = request(more)
  const begun = await provider.collect(asked)
  if (begun.state !== 'needs_buyer') return begun
  bank.enterCard(begun.reference, card)
  return provider.lookUp({ accountId, key: asked.key, reference: begun.reference })
}

export async function openStripeTill(): Promise<StripeTill> {
  const server = await new StripeServer().open()
  const provider = createPayments(server.settings).providerFor({ test: false })
  return {
    server,
    provider,
    pay: (card, more) => payAt(server.own, provider, card, more),
    close: () => server.close(),
  }
}

/** All that a log could write of an error, its causes included. */
export function everythingIn(error: unknown): string {
  if (!(error instanceof Error)) return JSON.stringify(error)
  const own = Object.getOwnPropertyNames(error).map((name) => String(Reflect.get(error, name)))
  return [...own, JSON.stringify(error), error.cause === undefined ? '' : everythingIn(error.cause)].join('\n')
}

/** The reference and the saved card of a payment that was made. */
export function paid(outcome: PaymentOutcome) {
  if (outcome.state !== 'succeeded') throw new Error(`The payment ${outcome.state}: ${JSON.stringify(outcome)}`)
  return { reference: outcome.reference, method: outcome.method! }
}
