/** What took a payment, as checkouts, orders and charges show it. */
export const PROCESSORS = ['none', 'test', 'card', 'x402'] as const
export type Processor = (typeof PROCESSORS)[number]
