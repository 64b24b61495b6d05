import { sql } from 'kysely'
import { ApiError } from '../../../contract/declarations/errors.ts'
import { compileForIds } from '../../../database/compile-once.ts'
import type { Context } from '../../../records/context.ts'
import { rowsOf } from '../../../records/rows-of.ts'

/** A product or price about to be deleted, with the prices deleted with it. */
interface Deletion {
  thing: 'product' | 'price'
  id: string
  variants: readonly { id: string; sold_count: number }[]
  /** The alternative to deleting, for the error message. */
  instead: string
}

/** Throws a 400 if an order, an open checkout or an invoice contains one of the prices. Subscriptions begin with an order. */
export async function requireUnused(context: Context, going: Deletion): Promise<void> {
  const use = await useOf(context, going)
  if (use !== null)
    throw new ApiError('resource_in_use', `This ${going.thing} ${use} and cannot be deleted; ${going.instead} instead.`)
}

async function useOf({ db, accountId }: Context, { id, variants }: Deletion): Promise<string | null> {
  const ids = variants.map((variant) => variant.id)
  if (variants.some(wasSold) || (await ordered(db, accountId, ids)).length > 0) return 'was ordered'
  if ((await billed(db, accountId, ids)).length > 0) return 'is on an invoice'
  return (await isInOpenCart({ db, accountId }, id)) ? 'is in an open checkout' : null
}

const ordered = compileForIds((db: Context['db'], accountId, variantIds) =>
  rowsOf({ db, accountId }, 'order_items').select('id').where('price_variant', 'in', variantIds).limit(sql.lit(1)),
)

const billed = compileForIds((db: Context['db'], accountId, variantIds) =>
  rowsOf({ db, accountId }, 'invoices').select('id').where('price_variant', 'in', variantIds).limit(sql.lit(1)),
)

/** Ids contain no character that JSON escapes. The status is a literal, so that the index serves the query. */
async function isInOpenCart(context: Pick<Context, 'db' | 'accountId'>, id: string): Promise<boolean> {
  const open = rowsOf(context, 'checkouts').select('id').where('status', '=', sql.lit('open'))
  return (await open.where('lines', 'like', `%"${id}"%`).limit(1).executeTakeFirst()) !== undefined
}

/** Whether the price was ever sold. */
export function wasSold({ sold_count }: { sold_count: number }): boolean {
  return sold_count > 0
}
