import type { Context } from '../../../records/context.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { type Meant, words } from '../../../records/starting.ts'
import { Customer } from '../../audience/customer/customer.ts'
import { customersFound } from '../../audience/customer/found.ts'
import { pricesFound } from '../../catalog/product/found.ts'
import { Invoice } from './invoice.ts'

/** What people have in hand of an invoice: most often its number, which they copy with or without its zeros. */
export const INVOICE_WORDS = words(
  Invoice,
  'A number, an id, or beginnings of words of the buyer’s e-mail or name, or of the product’s name',
  async (context, given): Promise<Meant[]> => {
    if (Invoice.isId(given)) return [['id', [given]]]
    if (Customer.isId(given)) return [['customer', [given]]]
    const numbered = await withNumber(context, given)
    if (numbered.length > 0) return [['id', numbered]]
    return [
      ['customer', await customersFound(context, given)],
      ['price_variant', await pricesFound(context, given)],
    ]
  },
)

async function withNumber(context: Context, given: string): Promise<string[]> {
  const digits = /^#?0*(\d{1,9})$/.exec(given)?.[1]
  if (digits === undefined) return []
  const rows = rowsOf(context, 'invoices').select('id').where('sequence', '=', Number(digits))
  return (await rows.execute()).map(({ id }) => id)
}
