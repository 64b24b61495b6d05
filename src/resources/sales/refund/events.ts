/** Whatever a refund may bring about. */
export const REFUND_EVENTS = [
  'refund.created',
  'refund.failed',
  'order.refunded',
  'order.partially_refunded',
  'formation.updated',
] as const
