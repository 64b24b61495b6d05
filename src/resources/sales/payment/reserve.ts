import { sql } from 'kysely'
import { invalid } from '../../../contract/declarations/errors.ts'
import type { Context } from '../../../records/context.ts'
import { rowsOf, send, updateRowsOf } from '../../../records/rows-of.ts'
import { whyNotInStock } from '../checkout/for_sale.ts'

interface Units {
  price_variant: string
  quantity: number
}

/**
 * Takes units out of the stock of each price, or throws a 422 at the line that has too few. The condition is part of the
 * change, so that buyers who come together never take more than there is.
 */
export async function takeStock(context: Context, lines: readonly Units[]): Promise<void> {
  const took = await Promise.all(lines.map((line) => takeUnits(context, line)))
  for (const [index, { quantity }] of lines.entries()) {
    const { taken, left } = took[index]!
    const problem = !taken && left && whyNotInStock(left, quantity)
    if (problem) throw invalid({ [`line_items.${index}.price_variant`]: [problem] })
  }
}

/** Whether units were taken, and what is left of the price's stock; a price without stock is not changed. */
async function takeUnits(context: Context, { price_variant, quantity }: Units) {
  const [{ numUpdatedRows }, left] = await Promise.all([
    updateRowsOf(context, 'price_variants')
      .set({ quantity_available: sql<number>`quantity_available - ${quantity}` })
      .where('id', '=', price_variant)
      .where('quantity_available', '>=', quantity)
      .executeTakeFirstOrThrow(),
    rowsOf(context, 'price_variants').select('quantity_available').where('id', '=', price_variant).executeTakeFirst(),
  ])
  return { taken: numUpdatedRows > 0n, left }
}

/** Puts units back, where the price still counts its stock. */
export async function returnStock(context: Context, lines: readonly Units[]): Promise<void> {
  for (const { price_variant, quantity } of lines) {
    const counted = updateRowsOf(context, 'price_variants')
      .where('id', '=', price_variant)
      .where('quantity_available', 'is not', null)
    await send(context, counted.set({ quantity_available: sql<number>`quantity_available + ${quantity}` }))
  }
}

/** Holds one redemption of a discount, or throws a 422 when all are used or held. */
export async function takeRedemption(context: Context, discountId: string): Promise<void> {
  const { numUpdatedRows } = await updateRowsOf(context, 'discounts')
    .set({ reserved_count: sql<number>`reserved_count + 1` })
    .where('id', '=', discountId)
    .where(sql<boolean>`(max_redemptions is null or times_redeemed + reserved_count < max_redemptions)`)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw invalid({ discount_code: ['has been used up'] })
}

/** Ends the hold: the redemption counts for good, or can be had by others again. */
export async function endRedemption(context: Context, discountId: string, { redeemed }: { redeemed: boolean }) {
  const ended = updateRowsOf(context, 'discounts').set({
    reserved_count: sql<number>`reserved_count - 1`,
    ...(redeemed && { times_redeemed: sql<number>`times_redeemed + 1` }),
  })
  await send(context, ended.where('id', '=', discountId))
}
