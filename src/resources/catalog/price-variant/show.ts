import { inOnePiece } from '../../../contract/values/values.ts'
import type { Context } from '../../../records/context.ts'
import type { Derived } from '../../../records/resource.ts'
import type { PriceVariantRow } from './price-variant.ts'

/** USDC has six decimals. */
const USDC_PER_CENT = 10_000

export function derivePriceVariants(rows: PriceVariantRow[], context: Context): Derived[] {
  return rows.map((row) => ({
    purchase_url: inOnePiece(context.publicUrl, '/buy/', row.id),
    x402_amount: row.currency === 'usd' ? String((row.amount ?? 0) * USDC_PER_CENT) : null,
  }))
}
