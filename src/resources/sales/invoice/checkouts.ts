import type { Row } from '../../../contract/noun.ts'
import { decode } from '../../../records/columns.ts'
import type { Context } from '../../../records/context.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { Checkout } from '../checkout/checkout.ts'
import { closeCheckout } from '../checkout/expire.ts'
import type { Invoice } from './invoice.ts'

/** Abandons the open checkouts of an invoice, except one that is being paid. */
export async function abandonCheckouts(context: Context, { id }: Row<typeof Invoice>): Promise<void> {
  const open = rowsOf(context, 'checkouts').selectAll().where('invoice', '=', id).where('status', '=', 'open')
  for (const raw of await open.where('paying', 'is', null).execute())
    await closeCheckout(context, decode<Row<typeof Checkout>>(Checkout, raw), 'abandoned')
}
