import type { Context } from '../../../records/context.ts'
import type { Derived } from '../../../records/resource.ts'
import { actionsOf } from './actions.ts'
import { endOfUnpaid, nextDue } from './due.ts'
import type { SubscriptionRow } from './subscription.ts'

export function deriveSubscriptions(rows: SubscriptionRow[], { now }: Context): Derived[] {
  return rows.map((row) => ({
    allowed_actions: actionsOf(row, now),
    next_payment_attempt_at: nextAttempt(row, now),
    unpaid_until: deadline(row),
  }))
}

function nextAttempt(row: SubscriptionRow, now: string): string | null {
  const due = row.held_since === null ? nextDue(row, now) : null
  return due?.step === 'charge' ? due.at : null
}

function deadline({ status, unpaid_since }: SubscriptionRow): string | null {
  return unpaid_since === null || status === 'canceled' ? null : endOfUnpaid(unpaid_since)
}
