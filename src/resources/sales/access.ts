import { newId } from '../../contract/values/ids.ts'
import { DAY_MS, laterBy } from '../../contract/values/values.ts'
import { insertOne } from '../../database/compile-once.ts'
import type { Context } from '../../records/context.ts'
import { rowsOf, updateRowsOf } from '../../records/rows-of.ts'
import type { Line } from './checkout/line.ts'

interface Purchase {
  customer: string
  order: string
  /** The access depends on this subscription; null for a one-time purchase. */
  subscription: string | null
  lines: readonly Pick<Line, 'product' | 'price_variant' | 'revoke_after_days'>[]
}

/** Grants access to each bought product: for `revoke_after_days` if its price sets that, otherwise without an end. */
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

/** Extends or renews a subscription's access, and ties it to the order that paid the period, so that a refund of that order ends it. */
export async function continueAccess(context: Context, granted: SubscriptionPurchase): Promise<void> {
  if (!(await prolongAccess(context, granted, { order_id: granted.order }))) await grantAccess(context, granted)
}

/** Restores access that a pause or cancellation has shortened. Returns false if the access has already ended. */
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

/** Ends the access from an order or subscription at the time `at`; access that ends earlier does not change. */
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
