import { invalid, missingParameter } from '../../../contract/declarations/errors.ts'
import type { CreateInput } from '../../../contract/declarations/noun.ts'
import type { BodyCheck } from '../../../contract/declarations/operation.ts'
import { newId } from '../../../contract/values/ids.ts'
import { laterBy } from '../../../contract/values/values.ts'
import type { Context } from '../../../records/context.ts'
import { listenersOf } from '../../../records/listeners.ts'
import { insertRow, requireRow } from '../../../records/records.ts'
import { x402Wallet } from '../../company/x402-configuration/requirements.ts'
import { Invoice, type InvoiceRow } from '../invoice/invoice.ts'
import { abandonCheckouts, payableCheckoutOf } from '../invoice/payable.ts'
import { processorOf } from '../payment/provider.ts'
import { placeOfCustomer, requireBuyer } from './buyer.ts'
import { Checkout, type CheckoutRow } from './checkout.ts'
import { emitCheckout, expireCheckout } from './close.ts'
import { requireDiscount, requireKnownCode } from './discounts.ts'
import { linesOf } from './lines.ts'
import { completeIfFree } from './pay.ts'
import { type Priced, price, pricedFields } from './price.ts'
import { changedPlace, termsAt } from './tax/given.ts'
import { NO_PLACE, placeOf } from './tax/terms.ts'

type Input = Omit<CreateInput<typeof Checkout>, 'reverse_charge' | 'tax_inclusive' | 'tax_lines'>

export async function createCheckout(context: Context, input: Input): Promise<CheckoutRow> {
  const { line_items, invoice, discount_code, country, region, vat_id, ...values } = input
  requireOneSource(input)
  if (invoice) return openCheckout(context, await checkoutOfInvoice(context, invoice, input))
  if (!line_items) throw missingParameter('line_items')
  const buyer = await requireBuyer(context, values)
  // The event and the response need the listeners and the wallet later, so these are read in parallel with the lines.
  const [lines] = await Promise.all([linesOf(context, line_items), listenersOf(context), x402Wallet(context)])
  const discount = discount_code ? await requireDiscount(context, discount_code, lines) : null
  const place = changedPlace(await placeOfCustomer(context, buyer.customer), { country, region, vat_id })
  const priced = price(lines, discount, await termsAt(context, place))
  return openCheckout(context, { ...buyer, priced, values: { ...values, ...place, line_items } })
}

export const CHECKOUT_CHECKS: readonly BodyCheck<Context, Partial<Input>>[] = [
  {
    fields: ['line_items', 'invoice'],
    check: (_, given) => {
      requireOneSource(given)
      if (!given.line_items && !given.invoice) throw missingParameter('line_items')
    },
  },
  {
    fields: ['line_items'],
    check: (context, { line_items }) => line_items && linesOf(context, line_items),
  },
  { fields: ['customer', 'email'], check: (context, given) => requireBuyer(context, given) },
  { fields: ['country', 'region', 'vat_id'], check: (_, given) => given.country && changedPlace(NO_PLACE, given) },
  {
    fields: ['discount_code'],
    check: (context, { discount_code, invoice }) => {
      if (!discount_code) return undefined
      if (invoice) throw invalid({ discount_code: ['cannot be used for an invoice'] })
      return requireKnownCode(context, discount_code)
    },
  },
]

function requireOneSource({ line_items, invoice }: Partial<Input>): void {
  if (line_items && invoice) throw invalid({ invoice: ['cannot be given together with line_items'] })
}

/** Prepares a checkout for an invoice, and abandons the invoice's other open checkouts, except one with a payment in progress. */
async function checkoutOfInvoice(context: Context, id: string, input: Input): Promise<Opening> {
  const invoice = await requireUnpaidInvoice(context, id)
  requireItsBuyer(invoice, input)
  await abandonCheckouts(context, invoice)
  const { success_url, cancel_url, metadata } = input
  return openingOf(invoice, { success_url, cancel_url, metadata })
}

async function requireUnpaidInvoice(context: Context, id: string): Promise<InvoiceRow> {
  const invoice = await requireRow(context, Invoice, id, 'invoice')
  if (invoice.status !== 'open' && invoice.status !== 'past_due')
    throw invalid({ invoice: [`is ${invoice.status}; only open and past due invoices can be paid`] })
  return invoice
}

export function openingOf(invoice: InvoiceRow, values: Partial<CheckoutRow> = {}): Opening {
  return {
    priced: price([invoice.line!], null, invoice.tax),
    email: invoice.email_address,
    customer: invoice.customer,
    values: { ...values, ...placeOf(invoice), invoice: invoice.id },
  }
}

/** Throws a 422 if a tax location is given, because the tax was fixed when the invoice was created. */
function requireNoPlace(input: Input): void {
  for (const part of ['country', 'region', 'vat_id'] as const)
    if (input[part]) throw invalid({ [part]: ['is the one of the invoice and cannot be given'] })
}

function requireItsBuyer({ customer, email_address }: InvoiceRow, input: Input): void {
  if (input.discount_code) throw invalid({ discount_code: ['cannot be used for an invoice'] })
  requireNoPlace(input)
  if (input.customer && input.customer !== customer) throw invalid({ customer: ['is not the customer of the invoice'] })
  if (input.email && input.email !== email_address)
    throw invalid({ email: [`must be the address on the invoice, ${email_address}`] })
}

/** Returns the invoice's open checkout, so that two browser windows share one, or opens one. Throws a 422 for a paid or void invoice. */
export async function openFromInvoice(context: Context, { id }: InvoiceRow): Promise<CheckoutRow> {
  const invoice = await requireUnpaidInvoice(context, id)
  return (await payableCheckoutOf(context, invoice)) ?? openCheckout(context, openingOf(invoice))
}

const OPEN_MS = 24 * 60 * 60 * 1000

interface Opening {
  priced: Priced
  email: string | null
  customer: string | null
  values?: Partial<CheckoutRow>
  /** Default: a new id. */
  id?: string | undefined
  /** Default: 24 hours from now. */
  expiresAt?: string
}

/** Stores a new checkout, and completes it immediately if nothing has to be paid. */
export async function openCheckout(
  context: Context,
  { priced, email, customer, values, expiresAt, id = newId('co') }: Opening,
): Promise<CheckoutRow> {
  const expires_at = expiresAt ?? laterBy(context.now, OPEN_MS)
  const checkout = await insertRow(context, Checkout, {
    line_items: [],
    ...values,
    id,
    ...pricedFields(priced, await processorOf(context, values)),
    email,
    customer,
    status: 'open',
    expires_at,
    expire_job: await context.enqueue(expireCheckout, { checkout: id }, { runAt: expires_at }),
  })
  emitCheckout(context, 'created', checkout)
  return completeIfFree(context, checkout)
}
