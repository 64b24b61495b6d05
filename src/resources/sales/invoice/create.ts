import { sql } from 'kysely'
import { type FieldErrors, invalid, missingParameter } from '../../../contract/declarations/errors.ts'
import type { CreateInput } from '../../../contract/declarations/noun.ts'
import { newId } from '../../../contract/values/ids.ts'
import { MAX_AMOUNT } from '../../../contract/values/values.ts'
import type { Context } from '../../../records/context.ts'
import { dueJob } from '../../../records/job.ts'
import { findNamed, findRow, insertRow, requireRow } from '../../../records/records.ts'
import { Customer, type CustomerRow } from '../../audience/customer/customer.ts'
import { PriceVariant, type PriceVariantRow } from '../../catalog/price-variant/price-variant.ts'
import { Product } from '../../catalog/product/product.ts'
import { queueInvoice } from '../../messages/email/service-mail.ts'
import type { InvoiceData } from '../../messages/email/templates/orders.ts'
import { customerWithEmail, findOrMakeCustomer } from '../checkout/buyer.ts'
import type { Line } from '../checkout/line.ts'
import { lineOf } from '../checkout/lines.ts'
import { lineFor, type Taxed, withTax } from '../checkout/tax/apply.ts'
import { changedPlace, missingOfPlace, termsAt } from '../checkout/tax/given.ts'
import { letterTaxes } from '../checkout/tax/letter.ts'
import { NO_PLACE, placeOf, type TaxPlace, type TaxTerms } from '../checkout/tax/terms.ts'
import { totalsOf } from '../checkout/totals.ts'
import { soldName } from '../sold-name.ts'
import { Invoice, type InvoiceRow } from './invoice.ts'
import { markPastDue } from './payable.ts'
import { paymentUrl } from './show.ts'

const COUNTER = 'invoices'
const DIGITS = 8

type Input = CreateInput<typeof Invoice>

export async function createInvoice(context: Context, input: Input): Promise<InvoiceRow> {
  const { country, region, vat_id, ...values } = input
  const place = changedPlace(await placeOfBilled(context, input), { country, region, vat_id })
  const tax = await termsAt(context, place)
  const { line, taxed, problems } = await billedLine(context, input.price_variant, input.quantity, tax)
  if (Object.keys(problems).length > 0) throw invalid(problems)
  requireTerms(context, input)
  const missing = await missingOfPlace(context, place)
  if (Object.keys(missing).length > 0) throw invalid(missing)
  const buyer = await billTo(context, input, place)
  const { total: amount, amount_tax, tax_inclusive, tax_lines, reverse_charge } = taxed
  const id = newId('inv')
  const invoice = await insertRow(context, Invoice, {
    ...values,
    ...buyer,
    ...place,
    ...{ tax, amount_tax, tax_inclusive, tax_lines, reverse_charge },
    ...(await takeInvoiceNumber(context)),
    ...{ id, line, amount, currency: line.currency, status: 'open' },
    due_job: await context.enqueue(markPastDue, { invoice: id }, { runAt: input.due_at }),
  })
  await context.enqueue(sendInvoice, { invoice: id })
  return context.emit(Invoice, 'created', invoice)
}

export function requireTerms({ now }: Context, { due_at, collection_method }: Partial<Input>): void {
  const errors: FieldErrors = {
    ...(due_at !== undefined && due_at <= now && { due_at: ['must be in the future'] }),
    ...(collection_method === 'charge_automatically' && {
      collection_method: ['cannot be charge_automatically: the customer has no saved card'],
    }),
  }
  if (Object.keys(errors).length > 0) throw invalid(errors)
}

/** The counter is rolled back with the transaction, so that invoice numbers have no gaps. */
async function takeInvoiceNumber({ db, accountId }: Context): Promise<{ sequence: number; number: string }> {
  const { value: sequence } = await db
    .insertInto('counters')
    .values({ account_id: accountId, name: COUNTER, value: 1 })
    .onConflict((known) => known.columns(['account_id', 'name']).doUpdateSet({ value: sql`counters.value + 1` }))
    .returning('value')
    .executeTakeFirstOrThrow()
  return { sequence, number: `#${String(sequence).padStart(DIGITS, '0')}` }
}

/** A custom price costs its preset amount; a subscription has its setup fee, but no trial. Throws a 404 for an unknown price. */
async function billedLine(
  context: Context,
  price: string,
  quantity: number,
  tax: TaxTerms | null,
): Promise<{ line: Line; taxed: Taxed; problems: FieldErrors }> {
  const variant = await requireRow(context, PriceVariant, price, 'price_variant')
  const product = await requireRow(context, Product, variant.product)
  const listed = withoutChoices(lineOf(variant, product, { quantity, amount: variant.preset_amount ?? undefined }))
  const line = lineFor(listed, tax)
  const taxed = withTax(totalsOf([line]), tax)
  return { line, taxed, problems: problemsOf(variant, taxed.total) }
}

/** The buyer of an invoice chooses no amount and gets no trial. */
function withoutChoices(line: Line): Line {
  return { ...line, custom: null, recurring: line.recurring && { ...line.recurring, trial_period_days: null } }
}

function problemsOf(variant: PriceVariantRow, amount: number): FieldErrors {
  const problem = whyNotBillable(variant, amount)
  if (problem !== null) return { price_variant: [problem] }
  if (amount > MAX_AMOUNT) return { quantity: [`makes the total exceed the maximum payment, ${MAX_AMOUNT}`] }
  return {}
}

function whyNotBillable(variant: PriceVariantRow, amount: number): string | null {
  if (variant.archived) return 'is archived and no longer for sale'
  if (variant.amount_type === 'free') return 'is free, so there is nothing to bill'
  if (variant.amount_type === 'custom' && variant.preset_amount === null)
    return 'is a custom price without preset_amount, so there is no amount to bill'
  return amount === 0 ? 'has a preset_amount of 0, so there is nothing to bill' : null
}

/** The name and e-mail address are those shown on the invoice, and may differ from the customer's. */
export interface BillTo {
  customer: string
  customer_name: string | null
  email_address: string
}

/** Returns the given customer, or finds the customer with the e-mail address, or else creates a lead. */
async function billTo(
  context: Context,
  { customer: id, customer_name, email_address }: Input,
  place: TaxPlace,
): Promise<BillTo> {
  requireBilled({ customer: id, email_address })
  const customer = id
    ? await requireRow(context, Customer, id, 'customer')
    : await customerOf(context, email_address!, customer_name ?? null, place)
  return {
    customer: customer.id,
    customer_name: customer_name ?? customer.name,
    email_address: email_address ?? customer.email,
  }
}

async function placeOfBilled(context: Context, { customer, email_address }: Input): Promise<TaxPlace> {
  requireBilled({ customer, email_address })
  const known = customer
    ? await requireRow(context, Customer, customer, 'customer')
    : await customerWithEmail(context, email_address!)
  return known ? placeOf(known) : NO_PLACE
}

export function requireBilled({ customer, email_address }: Pick<Partial<Input>, 'customer' | 'email_address'>): void {
  if (!customer && !email_address) throw missingParameter('email_address')
}

/** A new customer is a lead until the invoice is paid, so `lead.created` is emitted. */
async function customerOf(context: Context, email: string, name: string | null, place: TaxPlace): Promise<CustomerRow> {
  const known = await customerWithEmail(context, email)
  if (known) return known
  return context.emit(Customer, 'lead.created', await findOrMakeCustomer(context, email, name, place))
}

/** This is a job, so that the request that creates the invoice does not wait for the e-mail. */
export const sendInvoice = dueJob('invoice.send', {
  emits: ['email.created'],
  async foresee(context: Context, sent: { invoice: string }[]) {
    const invoices = await findNamed(context, Invoice, 'invoice', sent)
    const open = [...invoices.values()].filter(({ status }) => status === 'open' || status === 'past_due')
    return open.map(({ email_address: to }) => ({ kind: 'email', to }))
  },
  async work(context: Context, { invoice: id }: { invoice: string }) {
    const invoice = await findRow(context, Invoice, id)
    if (invoice?.status !== 'open' && invoice?.status !== 'past_due') return
    await mailInvoice(context, invoice)
  },
})

/** Mails an unpaid invoice. If `awaited` is set, throws a 429 when a limit for e-mails is exceeded. */
export async function mailInvoice(context: Context, invoice: InvoiceRow, { awaited = false } = {}) {
  const letter = { ...letterOf(context, invoice), ...(await letterTaxes(context, invoice)) }
  return queueInvoice(context, { ...(await recipientOf(context, invoice)), awaited }, letter)
}

/** Links the e-mail to the customer only if it goes to the customer's own address. */
async function recipientOf(context: Context, { customer, email_address }: InvoiceRow) {
  const known = customer === null ? undefined : await findRow(context, Customer, customer)
  return { to: email_address, customer: known?.email === email_address ? known.id : null }
}

function letterOf(context: Context, invoice: InvoiceRow): InvoiceData {
  const { number, customer_name, description, amount, currency, due_at } = invoice
  const line = invoice.line!
  const setupFee = line.recurring?.setup_fee_amount ?? 0
  const added = invoice.tax_inclusive ? 0 : invoice.amount_tax
  return {
    ...{ number, description, currency, setupFee },
    customerName: customer_name,
    line: {
      name: soldName(line),
      quantity: line.quantity,
      unitAmount: line.unit_amount ?? 0,
      amount: amount - setupFee - added,
    },
    total: amount,
    dueAt: due_at,
    paymentUrl: paymentUrl(context, invoice),
  }
}
