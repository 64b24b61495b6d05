import type { Stripe } from 'stripe'
import { BadNoticeError, type Notice, type PaymentOutcome } from '../provider.ts'
import { fromStripeAmount } from './amount.ts'
import { reportOf } from './disputes.ts'
import { idOf, outcomeOfRefund } from './outcomes.ts'
import { type OurMetadata, ourMetadata } from './requests.ts'

/**
 * How the state of now is read at Stripe. Notices come late and in any order, so what they say themselves is not used: only
 * what they are about.
 */
export interface Reading {
  payment(reference: string): Promise<PaymentOutcome>
  refund(reference: string): Promise<Stripe.Refund>
  dispute(reference: string): Promise<Stripe.Dispute>
  metadataOfIntent(reference: string): Promise<Record<string, string>>
}

interface Signed {
  raw: Uint8Array
  signature: string | null
}

/** An event whose signature is right by one of the secrets, or BadNoticeError. */
export function verifiedEvent(stripe: Stripe, signed: Signed, secrets: readonly string[]): Stripe.Event {
  const event = firstRight(stripe, signed, secrets)
  // The library's errors hold the body, which names the buyer.
  if (!event) throw new BadNoticeError('The notice has no valid signature from the last five minutes, or is not JSON.')
  if (typeof event?.type !== 'string' || typeof idOfObject(event) !== 'string')
    throw new BadNoticeError('The notice is not a Stripe event.')
  return event
}

function firstRight(stripe: Stripe, { raw, signature }: Signed, secrets: readonly string[]): Stripe.Event | null {
  for (const secret of secrets) {
    try {
      return stripe.webhooks.constructEvent(Buffer.from(raw), signature ?? '', secret)
    } catch {
      // The next secret may be the right one.
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

/** What an event is about, or null for what is not ours. */
export async function noticeOf(event: ReadEvent, reading: Reading): Promise<Notice | null> {
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

/** Refunds of ours name the one that they are; those that were made at Stripe say only which payment they give back. */
async function refundNotice({ id, metadata, payment_intent }: Stripe.Refund, reading: Reading): Promise<Notice | null> {
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

async function disputeNotice({ id, payment_intent }: Stripe.Dispute, reading: Reading): Promise<Notice | null> {
  const payment = await paymentBehind(payment_intent, reading)
  if (!payment) return null
  return { kind: 'dispute', ...placeOf(payment), ...reportOf(await reading.dispute(id)) }
}

/** Whose a dispute or a refund is, where it does not say it itself. */
async function paymentBehind(intent: Stripe.Dispute['payment_intent'], reading: Reading): Promise<OurMetadata | null> {
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
