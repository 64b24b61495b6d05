import { sql } from 'kysely'
import { ApiError } from '../../../contract/declarations/errors.ts'
import { compileForIds } from '../../../database/compile-once.ts'
import type { Context } from '../../../records/context.ts'
import { rowsOf } from '../../../records/rows-of.ts'

/** A product or price that is about to be deleted, and all prices that this deletes. */
interface Deletion {
  thing: 'product' | 'price'
  id: string
  variants: readonly { id: string; sold_count: number }[]
  /** The alternative to deletion that the error message recommends. */
  instead: string
}

/** Throws a 400 if an order, open checkout or invoice contains one of the prices. A subscription always has an order. */
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

/** Searches the JSON text for the quoted id, which JSON does not escape. The status is an SQL literal, so that the index is used. */
async function isInOpenCart(context: Pick<Context, 'db' | 'accountId'>, id: string): Promise<boolean> {
  const open = rowsOf(context, 'checkouts').select('id').where('status', '=', sql.lit('open'))
  return (await open.where('lines', 'like', `%"${id}"%`).limit(1).executeTakeFirst()) !== undefined
}

export function wasSold({ sold_count }: { sold_count: number }): boolean {
  return sold_count > 0
}
