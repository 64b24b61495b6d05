import { sql } from 'kysely'
import { invalid } from '../../../contract/declarations/errors.ts'
import { addToRow } from '../../../records/add-to-row.ts'
import type { Context } from '../../../records/context.ts'
import { findNamed } from '../../../records/records.ts'
import { send, updateRowsOf } from '../../../records/rows-of.ts'
import { PriceVariant } from '../../catalog/price-variant/price-variant.ts'
import { whyNotInStock } from '../checkout/lines.ts'

interface StockUnits {
  price_variant: string
  quantity: number
}

/** Throws a 422 for the first line whose price has too little stock. Fails if a concurrent transaction has sold the same stock. */
export async function takeStock(context: Context, lines: readonly StockUnits[]): Promise<void> {
  const prices = await findNamed(context, PriceVariant, 'price_variant', lines)
  const taken = new Map<string, number>()
  for (const [index, { price_variant, quantity }] of lines.entries()) {
    const left = prices.get(price_variant)
    const units = (taken.get(price_variant) ?? 0) + quantity
    taken.set(price_variant, units)
    const problem = left && whyNotInStock(left, units)
    if (problem) throw invalid({ [`line_items.${index}.price_variant`]: [problem] })
  }
  const counted = [...taken].filter(([id]) => prices.get(id) && prices.get(id)?.quantity_available !== null)
  for (const [id, quantity] of counted) await addToRow(context, PriceVariant, id, { quantity_available: -quantity })
}

/** Skips prices that no longer limit their stock. */
export async function returnStock(context: Context, lines: readonly StockUnits[]): Promise<void> {
  for (const { price_variant, quantity } of lines) {
    const counted = updateRowsOf(context, 'price_variants')
      .where('id', '=', price_variant)
      .where('quantity_available', 'is not', null)
    await send(context, counted.set({ quantity_available: sql<number>`quantity_available + ${quantity}` }))
  }
}

/** Throws a 422 if all redemptions are used or reserved. */
export async function takeRedemption(context: Context, discountId: string): Promise<void> {
  const { numUpdatedRows } = await updateRowsOf(context, 'discounts')
    .set({ reserved_count: sql<number>`reserved_count + 1` })
    .where('id', '=', discountId)
    .where(sql<boolean>`(max_redemptions is null or times_redeemed + reserved_count < max_redemptions)`)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw invalid({ discount_code: ['has been used up'] })
}

/** Counts the reserved redemption if `redeemed`, or makes it available again. */
export async function endRedemption(context: Context, discountId: string, { redeemed }: { redeemed: boolean }) {
  const ended = updateRowsOf(context, 'discounts').set({
    reserved_count: sql<number>`reserved_count - 1`,
    ...(redeemed && { times_redeemed: sql<number>`times_redeemed + 1` }),
  })
  await send(context, ended.where('id', '=', discountId))
}
