import { exampleId } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import { equals } from '../../../records/filters.ts'
import { changeRow, requireRow } from '../../../records/records.ts'
import { resource } from '../../../records/resource.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { words } from '../../../records/search-filter.ts'
import { verbs } from '../../../records/verbs.ts'
import { Customer } from '../../audience/customer/customer.ts'
import { customersFound } from '../../audience/customer/found.ts'
import { pricesFound } from '../../catalog/product/queries.ts'
import { giveUp } from '../payment/jobs.ts'
import { createInvoice, requireBilled, requireTerms, sendInvoice } from './create.ts'
import { Invoice, type InvoiceRow } from './invoice.ts'
import { abandonCheckouts, markPastDue } from './payable.ts'
import { deriveInvoices } from './show.ts'

/** Invoice numbers are found with or without their leading zeros. */
const INVOICE_WORDS = words(
  Invoice,
  'A number, an id, or beginnings of words of the buyer’s e-mail or name, or of the product’s name',
  async (context, given) => {
    if (Customer.isId(given)) return [['customer', [given]]]
    const numbered = await withNumber(context, given)
    if (numbered.length > 0) return [['id', numbered]]
    return [
      ['customer', await customersFound(context, given)],
      ['price_variant', await pricesFound(context, given)],
    ]
  },
)

const { list, create, retrieve, action } = verbs(Invoice)

export const invoices = resource(Invoice, {
  derive: deriveInvoices,
  jobs: [markPastDue, sendInvoice],
  operations: [
    list({
      summary: 'List invoices',
      sortedBy: ['amount'],
      filters: {
        status: equals(Invoice, 'status', 'Only invoices in this status'),
        query: INVOICE_WORDS,
        customer: equals(Invoice, 'customer', 'Only invoices of this customer'),
      },
    }),
    create({
      summary: 'Bill a buyer for a price variant',
      description:
        'Requires customer or email_address; an address that no customer has creates a lead. It bills one price: for several items or a sum of your own, create a price for the total. It cannot be changed, only voided. The bill is mailed with its payment_url; there is no reminder, but POST /emails can send the payment_url again. A subscription starts when it is paid, without a trial. Inactive products can be billed and paid; the payment reduces stock.',
      emits: ['invoice.created', 'customer.created', 'lead.created'],
      inTurn: true,
      example: { price_variant: exampleId('price'), due_at: '2027-01-31T00:00:00Z', email_address: 'ada@example.com' },
      checks: [
        { fields: ['due_at', 'collection_method'], check: requireTerms },
        { fields: ['customer', 'email_address'], check: (_, given) => requireBilled(given) },
      ],
      rule: createInvoice,
    }),
    retrieve({ summary: 'Show one invoice' }),
    action('void', {
      summary: 'Void an invoice',
      description:
        'Allowed in any status, and cannot be undone: a void invoice is never paid. Its open checkouts are abandoned, a payment in progress is dropped, and money that arrives later is returned to the buyer. Voiding a paid invoice does not change its order, charge or access. Voiding it again has no effect. No e-mail is sent.',
      emits: ['invoice.voided', 'checkout.abandoned', 'checkout.expired', 'order.failed'],
      inTurn: true,
      evenWhenFull: true,
      rule: voidInvoice,
    }),
  ],
})

async function withNumber(context: Context, given: string): Promise<string[]> {
  const digits = /^#?0*(\d{1,9})$/.exec(given)?.[1]
  if (digits === undefined) return []
  const rows = rowsOf(context, 'invoices').select('id').where('sequence', '=', Number(digits))
  return (await rows.execute()).map(({ id }) => id)
}

/** Voids an invoice in any status. Money that still arrives from a payment in progress is refunded. */
async function voidInvoice(context: Context, invoice: InvoiceRow): Promise<InvoiceRow> {
  if (invoice.status === 'void') return invoice
  if (invoice.due_job !== null) await context.cancel(invoice.due_job)
  if (invoice.paying !== null) await giveUp(context, invoice.paying, 'The invoice was voided.')
  await abandonCheckouts(context, invoice)
  const released = await requireRow(context, Invoice, invoice.id)
  const voided = await changeRow(context, Invoice, released, {
    status: 'void',
    voided_at: context.now,
    due_job: null,
  })
  return context.emit(Invoice, 'voided', voided)
}
