import { inOnePiece } from '../../../../contract/values/values.ts'
import { compileForIds } from '../../../../database/compile-once.ts'
import type { Context } from '../../../../records/context.ts'
import type { Derived } from '../../../../records/resource.ts'
import { rowsOf } from '../../../../records/rows-of.ts'
import { clientSecret } from '../../../../resources/sales/checkout/show.ts'
import { actionsOf } from './actions.ts'
import type { FormationRow } from './formation.ts'

export async function deriveFormations(rows: FormationRow[], context: Context): Promise<Derived[]> {
  const open = await openCheckouts(context, rows)
  return rows.map((row) => ({
    allowed_actions: actionsOf(row),
    checkout_url: row.checkout !== null && open.has(row.checkout) ? urlOf(context, row.checkout) : null,
  }))
}

async function openCheckouts({ db, accountId }: Context, rows: FormationRow[]): Promise<Set<string>> {
  const unpaid = rows.flatMap(({ checkout, payment_status }) =>
    payment_status === 'unpaid' && checkout ? checkout : [],
  )
  if (unpaid.length === 0) return new Set()
  return new Set((await openAmong(db, accountId, unpaid)).map(({ id }) => id))
}

const openAmong = compileForIds((db: Context['db'], accountId, ids) =>
  rowsOf({ db, accountId }, 'checkouts').select('id').where('id', 'in', ids).where('status', '=', 'open'),
)

function urlOf(context: Context, checkoutId: string): string {
  return inOnePiece(context.publicUrl, '/checkout/', clientSecret(context, checkoutId))
}
