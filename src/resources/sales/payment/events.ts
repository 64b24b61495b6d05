/** The events that a refund can cause. */
export const REFUND_EVENTS = [
  'refund.created',
  'refund.failed',
  'order.refunded',
  'order.partially_refunded',
  'formation.updated',
] as const

/** The events that a dispute can cause. */
export const DISPUTE_EVENTS = [...REFUND_EVENTS, 'order.disputed'] as const

/** The events that a payment can cause. */
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

/** The events that the payment of a service fee can cause; such a checkout and its money are not part of the account's sales. */
export const FEE_EVENTS = ['formation.paid'] as const

/** The events that opening a checkout can cause; a checkout that costs nothing is completed immediately. */
export const OPENING_EVENTS = ['checkout.created', 'checkout.abandoned', ...SALE_EVENTS] as const
