import { type FieldErrors, invalid, missingParameter } from '../../../contract/declarations/errors.ts'
import type { CreateInput } from '../../../contract/declarations/noun.ts'
import { decode } from '../../../records/columns.ts'
import type { Context } from '../../../records/context.ts'
import { requireRow } from '../../../records/records.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { Customer, type CustomerRow } from '../../audience/customer/customer.ts'
import type { Email, EmailRow } from './email.ts'
import { queueAwaited } from './queue.ts'

type Input = CreateInput<typeof Email>

/** The response waits until the e-mail is sent. */
export async function sendEmail(context: Context, input: Input): Promise<EmailRow> {
  const customer = await requireRecipient(context, input)
  requireContent(input)
  const { subject, html = null, text = null, reply_to, metadata } = input
  const message = { subject, html: html || null, text: text || null, metadata, replyTo: reply_to ?? undefined }
  return queueAwaited(context, { ...message, kind: 'message', to: customer.email, customer: customer.id })
}

/** Throws a 400 if the request contains no recipient, and a 422 if the address belongs to no customer. */
export async function requireRecipient(
  context: Context,
  given: Pick<Partial<Input>, 'to' | 'customer'>,
): Promise<CustomerRow> {
  const { errors, customer } = await findRecipient(context, given)
  if (Object.keys(errors).length > 0) throw invalid(errors)
  if (!customer) throw missingParameter('to')
  return customer
}

/** Throws a 400 if the request contains no body. */
export function requireContent({ html, text }: Pick<Partial<Input>, 'html' | 'text'>): void {
  if (!html && !text) throw missingParameter('text')
}

interface Recipient {
  errors: FieldErrors
  /** Null if the request names no customer, or none was found. */
  customer: CustomerRow | null
}

async function findRecipient(
  context: Context,
  { to, customer: id }: Pick<Partial<Input>, 'to' | 'customer'>,
): Promise<Recipient> {
  const customer = id ? await requireRow(context, Customer, id, 'customer') : null
  if (customer) {
    const agree = to === undefined || to === customer.email
    return { customer, errors: agree ? {} : { to: ['is not the address of the customer'] } }
  }
  const owner = to === undefined ? null : await customerWith(context, to)
  const unknown = to !== undefined && !owner
  return { customer: owner, errors: unknown ? { to: ['is not the address of a customer of this account'] } : {} }
}

async function customerWith(context: Context, address: string): Promise<CustomerRow | null> {
  const row = await rowsOf(context, 'customers').selectAll().where('email', '=', address).executeTakeFirst()
  return row ? decode<CustomerRow>(Customer, row) : null
}
