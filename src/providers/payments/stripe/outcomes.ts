import type { Stripe } from 'stripe'
import type { PaymentOutcome, RefundOutcome, SavedMethod } from '../provider.ts'
import { declineCodeOf } from './decline-codes.ts'

type WithMethod = Pick<Stripe.PaymentIntent | Stripe.SetupIntent, 'customer' | 'payment_method'>

/** Maps the status of a Checkout Session, whose intent must be expanded. */
export function outcomeOfSession(session: Stripe.Checkout.Session): PaymentOutcome {
  const { id: reference, status, url } = session
  if (status === 'expired')
    return {
      state: 'failed',
      reference,
      message: 'The payment page expired before the payment was made.',
      code: 'not_completed',
    }
  if (status === 'complete') return outcomeOfComplete(session)
  return url ? { state: 'needs_buyer', reference, url } : { state: 'pending', reference }
}

function outcomeOfComplete({ id, mode, payment_intent, setup_intent }: Stripe.Checkout.Session): PaymentOutcome {
  if (mode === 'setup' && isExpanded(setup_intent))
    return { state: 'succeeded', reference: id, method: methodOf(setup_intent) }
  return isExpanded(payment_intent) ? outcomeOfIntent(payment_intent) : { state: 'pending', reference: id }
}

/** Maps the status of a Payment Intent: https://docs.stripe.com/payments/paymentintents/lifecycle. */
export function outcomeOfIntent(intent: Stripe.PaymentIntent): PaymentOutcome {
  const { id: reference, status, last_payment_error } = intent
  switch (status) {
    case 'succeeded':
      return { state: 'succeeded', reference, method: methodOf(intent) }
    case 'canceled':
      return { state: 'failed', reference, message: 'The payment was canceled.', code: 'not_completed' }
    case 'requires_payment_method':
      return {
        ...{ state: 'failed', reference, message: last_payment_error?.message ?? 'The card was declined.' },
        code: declineCodeOf(last_payment_error ?? { code: 'card_declined' }),
      }
    case 'requires_action':
      return {
        ...{ state: 'failed', reference, message: 'The bank requires the buyer to confirm the payment.' },
        code: 'authentication_required',
      }
    default:
      return { state: 'pending', reference }
  }
}

export function outcomeOfRefund({ id: reference, status, failure_reason }: Stripe.Refund): RefundOutcome {
  if (status === 'succeeded') return { state: 'succeeded', reference }
  if (status === 'canceled') return { state: 'failed', reference, message: 'The refund was canceled.' }
  if (status !== 'failed') return { state: 'pending', reference }
  const reason = failure_reason ? ` (${failure_reason.replaceAll('_', ' ')})` : ''
  return { state: 'failed', reference, message: `The bank refused the refund${reason}.` }
}

/** Returns null for guests, because Stripe can charge a card later only if it belongs to a customer. */
function methodOf({ customer, payment_method }: WithMethod): SavedMethod | null {
  const [customerId, methodId] = [idOf(customer), idOf(payment_method)]
  if (!customerId || !methodId) return null
  const card = isExpanded(payment_method) ? payment_method.card : undefined
  return { token: `${customerId}/${methodId}`, ...(card && { card: nameOf(card) }) }
}

/** Maps Stripe's codes of card brands to display names. */
const BRANDS: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  diners: 'Diners Club',
  discover: 'Discover',
  jcb: 'JCB',
  unionpay: 'UnionPay',
}

function nameOf({ brand, last4 }: { brand: string; last4: string }): string {
  return `${BRANDS[brand] ?? 'Card'} ending in ${last4}`
}

/** Returns null if another provider stores the method. */
export function readMethod({ token }: SavedMethod): { customer: string; payment_method: string } | null {
  const [customer, method, ...more] = token.split('/')
  if (!customer?.startsWith('cus_') || !method || more.length > 0) return null
  return { customer, payment_method: method }
}

/** Returns the id of an object. Stripe returns only the id, or the whole object if it was expanded. */
export function idOf(given: string | { id: string } | null | undefined): string | null {
  return typeof given === 'object' ? (given?.id ?? null) : (given ?? null)
}

function isExpanded<Expanded extends object>(given: string | Expanded | null): given is Expanded {
  return typeof given === 'object' && given !== null
}
