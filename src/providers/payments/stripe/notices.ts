import type { Stripe } from 'stripe'
import { BadNoticeError, type Notice, type PaymentOutcome } from '../provider.ts'
import { fromStripeAmount } from './amount.ts'
import { idOf, outcomeOfRefund } from './outcomes.ts'
import { type OurMetadata, ourMetadata, reportOf } from './requests.ts'

/** Reads the current objects from Stripe. Webhook events provide only the ids, because they arrive late and in any order. */
export interface CurrentState {
  payment(reference: string): Promise<PaymentOutcome>
  refund(reference: string): Promise<Stripe.Refund>
  dispute(reference: string): Promise<Stripe.Dispute>
  metadataOfIntent(reference: string): Promise<Record<string, string>>
}

interface SignedBody {
  raw: Uint8Array
  signature: string | null
}

/** Throws BadNoticeError if the signature matches none of the secrets. */
export function verifiedEvent(stripe: Stripe, signed: SignedBody, secrets: readonly string[]): Stripe.Event {
  const event = firstRight(stripe, signed, secrets)
  // The library's errors contain the body, which names the buyer.
  if (!event) throw new BadNoticeError('The notice has no valid signature from the last five minutes, or is not JSON.')
  if (typeof event?.type !== 'string' || typeof idOfObject(event) !== 'string')
    throw new BadNoticeError('The notice is not a Stripe event.')
  return event
}

function firstRight(stripe: Stripe, { raw, signature }: SignedBody, secrets: readonly string[]): Stripe.Event | null {
  for (const secret of secrets) {
    try {
      return stripe.webhooks.constructEvent(Buffer.from(raw), signature ?? '', secret)
    } catch {
      // The next secret may match.
    }
  }
  return null
}

export const EVENT_TYPES = [
  'checkout.session.completed',
  'checkout.session.expired',
  'payment_intent.succeeded',
  'payment_intent.canceled',
  'payment_intent.payment_failed',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.refund.updated',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
  'charge.dispute.closed',
] as const

type ReadEvent = Extract<Stripe.Event, { type: (typeof EVENT_TYPES)[number] }>

export function isRead(event: Stripe.Event): event is ReadEvent {
  return EVENT_TYPES.some((type) => type === event.type)
}

/** Reads the object of an event from Stripe; null if the object is not ours. */
export async function noticeOf(event: ReadEvent, reading: CurrentState): Promise<Notice | null> {
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.expired':
      return paymentNotice(event.data.object, reading)
    case 'payment_intent.succeeded':
    case 'payment_intent.canceled':
    case 'payment_intent.payment_failed':
      return intentNotice(event, reading)
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed':
    case 'charge.refund.updated':
      return refundNotice(event.data.object, reading)
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.funds_reinstated':
    case 'charge.dispute.closed':
      return disputeNotice(event.data.object, reading)
  }
}

type WithMetadata = { id: string; metadata: Record<string, string> | null }

async function paymentNotice({ id, metadata }: WithMetadata, reading: CurrentState): Promise<Notice | null> {
  const ours = paymentOf(metadata)
  return ours && { kind: 'payment', ...placeOf(ours), outcome: await reading.payment(id) }
}

/** Reads an event of a Payment Intent. On a session's page, the buyer may retry with another card, so only success is final. */
function intentNotice(
  {
    type,
    data,
  }: Stripe.PaymentIntentSucceededEvent | Stripe.PaymentIntentCanceledEvent | Stripe.PaymentIntentPaymentFailedEvent,
  reading: CurrentState,
): Promise<Notice | null> | null {
  const onPage = ourMetadata(data.object.metadata)?.made_by === 'page'
  return onPage && type !== 'payment_intent.succeeded' ? null : paymentNotice(data.object, reading)
}

/** Reads an event about a refund. Our refunds have metadata of their own; those made at Stripe only refer to the payment. */
async function refundNotice(
  { id, metadata, payment_intent }: Stripe.Refund,
  reading: CurrentState,
): Promise<Notice | null> {
  const ours = ourMetadata(metadata)
  if (ours?.made_by === 'refund')
    return { kind: 'refund', ...placeOf(ours), outcome: outcomeOfRefund(await reading.refund(id)) }
  const payment = await paymentBehind(payment_intent, reading)
  if (!payment) return null
  const refund = await reading.refund(id)
  return {
    kind: 'outside_refund',
    ...placeOf(payment),
    reference: id,
    amount: fromStripeAmount(refund.amount, refund.currency),
    reason: refund.reason?.replaceAll('_', ' ') ?? null,
    outcome: outcomeOfRefund(refund),
  }
}

async function disputeNotice({ id, payment_intent }: Stripe.Dispute, reading: CurrentState): Promise<Notice | null> {
  const payment = await paymentBehind(payment_intent, reading)
  if (!payment) return null
  return { kind: 'dispute', ...placeOf(payment), ...reportOf(await reading.dispute(id)) }
}

/** Finds our payment for a dispute or refund without our metadata. */
async function paymentBehind(
  intent: Stripe.Dispute['payment_intent'],
  reading: CurrentState,
): Promise<OurMetadata | null> {
  const id = idOf(intent)
  return id === null ? null : paymentOf(await reading.metadataOfIntent(id))
}

function paymentOf(metadata: Record<string, string> | null): OurMetadata | null {
  const ours = ourMetadata(metadata)
  return ours?.made_by === 'refund' ? null : ours
}

function placeOf({ account, key }: OurMetadata): { accountId: string; key: string } {
  return { accountId: account, key }
}

function idOfObject({ data }: Stripe.Event): unknown {
  return (data?.object as { id?: unknown } | undefined)?.id
}
