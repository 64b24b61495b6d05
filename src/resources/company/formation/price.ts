import type { Row } from '../../../contract/noun.ts'
import type { Context } from '../../../records/context.ts'
import { findRow } from '../../../records/records.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { createPriceVariant } from '../../catalog/price_variant/create.ts'
import { PriceVariant } from '../../catalog/price_variant/price_variant.ts'
import { createProduct } from '../../catalog/product/create.ts'

const PRODUCT_NAME = 'Company formation'

/**
 * The price that orders of formations show as sold: of an archived product that nobody else can buy, made with the first
 * formation of the account.
 */
export async function soldPrice(
  context: Context,
  { amount, currency }: { amount: number; currency: string },
): Promise<Row<typeof PriceVariant>> {
  const last = rowsOf(context, 'formations').select('price_variant').orderBy('id', 'desc').limit(1)
  const known = await last.executeTakeFirst()
  const kept = known && (await findRow(context, PriceVariant, known.price_variant))
  if (kept) return kept
  const product = await createProduct(context, { name: PRODUCT_NAME, status: 'archived', metadata: {} })
  return createPriceVariant(context, { product: product.id, name: 'Default', amount, currency, hidden: true, ...PLAIN })
}

const PLAIN = { archived: false, waitlist: false, benefits: [], experiences: [], metadata: {} }
