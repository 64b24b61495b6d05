import type { Stripe } from 'stripe'
import { BadNoticeError, type Notice, type PaymentOutcome, type RefundOutcome } from '../provider.ts'
import { idOf } from './outcomes.ts'
import { type OurMetadata, ourMetadata } from './requests.ts'

/**
 * How the state of now is read at Stripe. Notices come late and in any order, so what they say themselves is not used: only
 * what they are about.
 */
export interface Reading {
  payment(reference: string): Promise<PaymentOutcome>
  refund(reference: string): Promise<RefundOutcome>
  metadataOfIntent(reference: string): Promise<Record<string, string>>
}

/** An event whose signature is right, or BadNoticeError. `raw` is the body as it came. */
export function verifiedEvent(stripe: Stripe, raw: Uint8Array, signature: string | null, secret: string): Stripe.Event {
  let event: Stripe.Event
  try {
    event = stripe.webhooks.constructEvent(Buffer.from(raw), signature ?? '', secret)
  } catch {
    // The library's errors hold the body, which names the buyer.
    throw new BadNoticeError('The notice has no valid signature from the last five minutes, or is not JSON.')
  }
  if (typeof event?.type !== 'string' || typeof idOfObject(event) !== 'string')
    throw new BadNoticeError('The notice is not a Stripe event.')
  return event
}

/** What an event is about, or null for what is not ours. */
export async function noticeOf(event: Stripe.Event, reading: Reading): Promise<Notice | null> {
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.expired':
      return paymentNotice(event.data.object, reading)
    case 'payment_intent.succeeded':
    case 'payment_intent.canceled':
    case 'payment_intent.payment_failed':
      return intentNotice(event, reading)
    case 'refund.updated':
    case 'refund.failed':
    case 'charge.refund.updated':
      return refundNotice(event.data.object, reading)
    case 'charge.dispute.created':
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.closed':
      return disputeNotice(event, reading)
    default:
      return null
  }
}

type WithMetadata = { id: string; metadata: Record<string, string> | null }

async function paymentNotice({ id, metadata }: WithMetadata, reading: Reading): Promise<Notice | null> {
  const ours = paymentOf(metadata)
  return ours && { kind: 'payment', ...placeOf(ours), outcome: await reading.payment(id) }
}

/** On the page of a session the buyer may try another card, so only a success there is an end. */
function intentNotice(
  {
    type,
    data,
  }: Stripe.PaymentIntentSucceededEvent | Stripe.PaymentIntentCanceledEvent | Stripe.PaymentIntentPaymentFailedEvent,
  reading: Reading,
): Promise<Notice | null> | null {
  const onPage = ourMetadata(data.object.metadata)?.made_by === 'page'
  return onPage && type !== 'payment_intent.succeeded' ? null : paymentNotice(data.object, reading)
}

async function refundNotice({ id, metadata }: WithMetadata, reading: Reading): Promise<Notice | null> {
  const ours = ourMetadata(metadata)
  if (ours?.made_by !== 'refund') return null
  return { kind: 'refund', ...placeOf(ours), outcome: await reading.refund(id) }
}

/** A dispute itself does not say whose it is: its payment does. */
async function disputeNotice(
  {
    type,
    data,
  }: Stripe.ChargeDisputeCreatedEvent | Stripe.ChargeDisputeFundsWithdrawnEvent | Stripe.ChargeDisputeClosedEvent,
  reading: Reading,
): Promise<Notice | null> {
  const state = disputeState(type, data.object.status)
  const intent = idOf(data.object.payment_intent)
  if (!state || !intent) return null
  const ours = paymentOf(await reading.metadataOfIntent(intent))
  return ours && { kind: 'dispute', ...placeOf(ours), state }
}

/** Statuses that begin with `warning` are of inquiries, which move no money; one that becomes a dispute withdraws funds. */
function disputeState(type: string, status: string): 'opened' | 'won' | 'lost' | null {
  if (type === 'charge.dispute.closed') return status === 'won' || status === 'lost' ? status : null
  return status.startsWith('warning') || status === 'prevented' ? null : 'opened'
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
