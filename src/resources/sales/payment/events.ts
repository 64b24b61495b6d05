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
  'checkout.completed',
  'checkout.expired',
] as const
