export const REFUND_EVENTS = [
  'refund.created',
  'refund.failed',
  'order.refunded',
  'order.partially_refunded',
  'formation.updated',
] as const

export const DISPUTE_EVENTS = [...REFUND_EVENTS, 'order.disputed'] as const

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

/** Includes the events of a sale, because a checkout that costs nothing is completed when it is opened. */
export const OPENING_EVENTS = ['checkout.created', 'checkout.abandoned', ...SALE_EVENTS] as const
