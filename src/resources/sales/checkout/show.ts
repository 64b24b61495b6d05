import type { Row } from '../../../contract/noun.ts'
import { inOnePiece } from '../../../contract/values.ts'
import { compileForIds } from '../../../database/compile-once.ts'
import type { Context } from '../../../records/context.ts'
import type { Derived } from '../../../records/resource.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import type { Checkout } from './checkout.ts'
import type { PricedLine } from './line.ts'
import { clientSecret } from './secret.ts'

export function deriveCheckouts(rows: Row<typeof Checkout>[], context: Context): Derived[] {
  return rows.map(({ id }) => {
    const client_secret = clientSecret(context, id)
    return { client_secret, url: inOnePiece(context.publicUrl, '/checkout/', client_secret) }
  })
}

/** The lines of checkouts, by the checkout. They have no ids of their own. */
export async function itemsByCheckout(
  checkoutIds: string[],
  { db, accountId }: Context,
): Promise<Map<string, (PricedLine & { id: string })[]>> {
  const rows = await linesOfCheckouts(db, accountId, checkoutIds)
  return new Map(
    rows.map(({ id, lines }) => [
      id,
      (JSON.parse(lines) as PricedLine[]).map((line) => ({ ...line, id: line.price_variant })),
    ]),
  )
}

const linesOfCheckouts = compileForIds((db: Context['db'], accountId, checkoutIds) =>
  rowsOf({ db, accountId }, 'checkouts').select(['id', 'lines']).where('id', 'in', checkoutIds),
)
