import type { Row } from '../../../contract/noun.ts'
import { compileOnce } from '../../../database/compile-once.ts'
import { decode } from '../../../records/columns.ts'
import type { Context } from '../../../records/context.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { PriceVariant } from '../price_variant/price_variant.ts'
import { Review } from '../review/review.ts'

type ByProduct<Item> = Map<string, Item[]>

/** The prices that buyers see of each product, by position. */
export async function shownVariantsByProduct(
  productIds: string[],
  context: Context,
): Promise<ByProduct<Row<typeof PriceVariant>>> {
  const [only] = productIds
  const rows =
    productIds.length === 1
      ? await shownVariantsOf(context.db, context.accountId, only!)
      : await shownVariants(context).where('product', 'in', productIds).execute()
  return byProduct(rows.map((raw) => decode<Row<typeof PriceVariant>>(PriceVariant, raw)))
}

const shownVariants = (account: Pick<Context, 'db' | 'accountId'>) =>
  rowsOf(account, 'price_variants')
    .selectAll()
    .where('archived', '=', 0)
    .where('hidden', '=', 0)
    .orderBy('position')
    .orderBy('id')

/** One product is what most answers show. */
const shownVariantsOf = compileOnce((db: Context['db'], accountId: string, product: string) =>
  shownVariants({ db, accountId }).where('product', '=', product),
)

/** What an expansion shows of a product at the most; `GET /reviews?product=…` pages through all. */
const MAX_REVIEWS = 100

/** The first reviews of each product by position, unpublished ones too. */
export async function reviewsByProduct(productIds: string[], context: Context): Promise<ByProduct<Row<typeof Review>>> {
  const rows = await rowsOf(context, 'reviews')
    .selectAll()
    .where('product', 'in', productIds)
    .where('position', '<=', MAX_REVIEWS)
    .orderBy('position')
    .orderBy('id')
    .execute()
  return byProduct(rows.map((raw) => decode<Row<typeof Review>>(Review, raw)))
}

function byProduct<Item extends { product: string }>(items: Item[]): ByProduct<Item> {
  return Map.groupBy(items, (item) => item.product)
}
