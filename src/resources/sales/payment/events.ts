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

/** Whatever opening a checkout may bring about: one that costs nothing completes at once. */
export const OPENING_EVENTS = ['checkout.created', 'checkout.abandoned', ...SALE_EVENTS] as const
