/** Whatever a refund may bring about. */
export const REFUND_EVENTS = [
  'refund.created',
  'refund.failed',
  'order.refunded',
  'order.partially_refunded',
  'formation.updated',
] as const

/** The events that a dispute can cause. */
export const DISPUTE_EVENTS = [...REFUND_EVENTS, 'order.disputed'] as const

/** Whatever a payment may bring about. */
export const SALE_EVENTS = [
  'customer.created',
  'order.created',
  'order.paid',
  'order.failed',
  'subscription.created',
  'subscription.renewed',
  'subscription.updated',
  'subscription.past_due',
  'subscription.canceled',
  'invoice.paid',
  'formation.paid',
  'checkout.completed',
  'checkout.expired',
] as const

/** What the payment of a fee of the service may bring about: its checkout and its money are no news of the account's sales. */
export const FEE_EVENTS = ['formation.paid'] as const

/** Whatever opening a checkout may bring about: one that costs nothing completes at once. */
export const OPENING_EVENTS = ['checkout.created', 'checkout.abandoned', ...SALE_EVENTS] as const
