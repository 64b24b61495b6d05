import { newId } from '../../contract/values/ids.ts'
import { laterBy } from '../../contract/values/values.ts'
import { insertOne } from '../../database/compile-once.ts'
import type { Context } from '../../records/context.ts'
import { rowsOf, updateRowsOf } from '../../records/rows-of.ts'
import type { Line } from './checkout/line.ts'

const DAY_MS = 24 * 60 * 60 * 1000

interface Purchase {
  customer: string
  order: string
  /** If set, the access lasts as long as this subscription does. */
  subscription: string | null
  lines: readonly Pick<Line, 'product' | 'price_variant' | 'revoke_after_days'>[]
}

/** Gives a customer access to the products bought, which ends when a price's `revoke_after_days` have passed. */
export async function grantAccess(context: Context, { customer, order, subscription, lines }: Purchase): Promise<void> {
  const { accountId, now } = context
  for (const { product, price_variant, revoke_after_days: days } of lines) {
    await insertOne(context.db, 'access_grants', {
      ...{ account_id: accountId, id: newId('grant'), customer, product, price_variant, order_id: order, subscription },
      starts_at: now,
      ends_at: endOf(now, days),
    })
  }
}

type SubscriptionPurchase = Purchase & { subscription: string }

/**
 * Lets the access of a subscription last as long as the subscription does. Also assigns the access to the order that paid for the current
 * period, so that a refund of that order ends it. Grants access again if it has ended.
 */
export async function continueAccess(context: Context, granted: SubscriptionPurchase): Promise<void> {
  if (!(await prolongAccess(context, granted, { order_id: granted.order }))) await grantAccess(context, granted)
}

/** Removes the end of access that a pause or a cancellation has set. Returns false if the access has ended already. */
export async function prolongAccess(
  context: Context,
  { subscription, lines }: Pick<SubscriptionPurchase, 'subscription' | 'lines'>,
  changes: { order_id?: string } = {},
): Promise<boolean> {
  const { now } = context
  const open = await rowsOf(context, 'access_grants')
    .selectAll()
    .where('subscription', '=', subscription)
    .where(({ eb, or }) => or([eb('ends_at', 'is', null), eb('ends_at', '>', now)]))
    .execute()
  const days = new Map(lines.map((line) => [line.price_variant, line.revoke_after_days]))
  for (const { id, price_variant, starts_at } of open) {
    const ends_at = endOf(starts_at, days.get(price_variant) ?? null)
    await updateRowsOf(context, 'access_grants')
      .set({ ...changes, ends_at })
      .where('id', '=', id)
      .execute()
  }
  return open.length > 0
}

function endOf(startsAt: string, days: number | null): string | null {
  return days === null ? null : laterBy(startsAt, days * DAY_MS)
}

/** Ends the access from an order or a subscription at the time `at`, unless that access ends earlier. */
export async function endAccess(
  context: Context,
  source: { order: string } | { subscription: string },
  at: string,
): Promise<void> {
  const grants = updateRowsOf(context, 'access_grants').set({ ends_at: at })
  const own =
    'order' in source
      ? grants.where('order_id', '=', source.order)
      : grants.where('subscription', '=', source.subscription)
  await own.where(({ eb, or }) => or([eb('ends_at', 'is', null), eb('ends_at', '>', at)])).execute()
}
