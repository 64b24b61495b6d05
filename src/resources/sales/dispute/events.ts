import { REFUND_EVENTS } from '../refund/events.ts'

/** The events that a dispute can cause. */
export const DISPUTE_EVENTS = [...REFUND_EVENTS, 'order.disputed'] as const
