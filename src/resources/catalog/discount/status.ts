import { type RawBuilder, sql } from 'kysely'
import type { SHOWN_STATUSES } from './discount.ts'

export type ShownStatus = (typeof SHOWN_STATUSES)[number]

interface Timed {
  switched: string
  starts_at: string | null
  redeem_by: string | null
  max_redemptions: number | null
  times_redeemed: number
}

/**
 * `inactive` while switched off; otherwise by its window and its redemptions: `scheduled`, `expired` or `active`. `now` is a
 * timestamp as stored, so that texts compare as moments do.
 */
export function shownStatus(discount: Timed, now: string): ShownStatus {
  if (discount.switched === 'inactive') return 'inactive'
  if (discount.starts_at !== null && discount.starts_at > now) return 'scheduled'
  if (discount.redeem_by !== null && discount.redeem_by <= now) return 'expired'
  if (discount.max_redemptions !== null && discount.times_redeemed >= discount.max_redemptions) return 'expired'
  return 'active'
}

/** The same rule for a list's filter. */
export function whereStatus(status: ShownStatus, now: string): RawBuilder<boolean> {
  const on = sql`switched = 'active'`
  const started = sql`(starts_at is null or starts_at <= ${now})`
  const over = sql`((redeem_by is not null and redeem_by <= ${now}) or (max_redemptions is not null and times_redeemed >= max_redemptions))`
  if (status === 'inactive') return sql<boolean>`switched = 'inactive'`
  if (status === 'scheduled') return sql<boolean>`(${on} and not ${started})`
  return status === 'expired'
    ? sql<boolean>`(${on} and ${started} and ${over})`
    : sql<boolean>`(${on} and ${started} and not ${over})`
}
