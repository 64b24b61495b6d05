import { compileForIds } from '../../../database/compile-once.ts'
import type { Context } from '../../../records/context.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import type { PriceDraft } from '../formats/drafts.ts'
import type { Memory } from './memory.ts'
import { makeArchived } from './products.ts'

export interface SoldPrice {
  product: string
  price: string
  revokeAfterDays: number | null
  /** Whether the price is archived, such as one that was created only for imported sales. */
  archived: boolean
}

/** A price that was sold: its possible keys, the best first, and the product to create if no key is known. */
export interface PriceLookup {
  keys: readonly string[]
  /** The key for the price of the archived product that may be created. */
  fallback: string
  productName: string
  price: PriceDraft
}

/** Finds the prices that were sold. For each one that does not exist, an archived product is created. */
export async function soldPrices(
  context: Context,
  memory: Memory,
  wanted: readonly PriceLookup[],
): Promise<{ find(one: PriceLookup): SoldPrice; made: number }> {
  const asked = wanted.flatMap(({ keys, fallback }) => [...keys, fallback])
  const names = await memory.recall(context, 'price', asked)
  const rows = await rowsById(context, memory, names)
  const made = new Map<string, SoldPrice>()
  const known = ({ keys, fallback }: PriceLookup) => {
    for (const key of [...keys, fallback]) {
      const row = rows.get(names.get(key) ?? '')
      if (row) return row
    }
  }
  for (const one of wanted)
    if (!known(one) && !made.has(one.fallback)) {
      const { productName: name, price, fallback: key } = one
      const ids = await makeArchived(context, memory, { name, price, key })
      made.set(key, { ...ids, revokeAfterDays: null, archived: true })
    }
  return { find: (one) => known(one) ?? made.get(one.fallback)!, made: made.size }
}

async function rowsById(
  context: Context,
  memory: Memory,
  names: ReadonlyMap<string, string>,
): Promise<Map<string, SoldPrice>> {
  const ids = [...new Set(names.values())]
  if (memory.dry)
    return new Map(ids.map((id) => [id, { product: '', price: id, revokeAfterDays: null, archived: false }]))
  const found = await findPrices(context.db, context.accountId, ids)
  return new Map(
    found.map(({ id, product, revoke_after_days, archived }) => [
      id,
      { product, price: id, revokeAfterDays: revoke_after_days, archived: archived === 1 },
    ]),
  )
}

const findPrices = compileForIds((db: Context['db'], accountId, ids) =>
  rowsOf({ db, accountId }, 'price_variants')
    .select(['id', 'product', 'revoke_after_days', 'archived'])
    .where('id', 'in', ids),
)
