import { type FieldErrors, invalid, missingParameter } from '../../../contract/declarations/errors.ts'
import type { CreateInput } from '../../../contract/declarations/noun.ts'
import { decode } from '../../../records/columns.ts'
import type { Context } from '../../../records/context.ts'
import { equals } from '../../../records/filters.ts'
import { idsStarting } from '../../../records/prefix-search.ts'
import { requireRow } from '../../../records/records.ts'
import { resource } from '../../../records/resource.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { words } from '../../../records/search-filter.ts'
import { verbs } from '../../../records/verbs.ts'
import { Customer, type CustomerRow } from '../../audience/customer/customer.ts'
import { customersFound } from '../../audience/customer/found.ts'
import { deliverEmail } from './deliver.ts'
import { Email, type EmailRow } from './email.ts'
import { queueAwaited } from './queue.ts'
import { writeToTeam } from './team/notices.ts'

type Input = CreateInput<typeof Email>

/** The response waits until the e-mail is sent. */
async function sendEmail(context: Context, input: Input): Promise<EmailRow> {
  const customer = await requireRecipient(context, input)
  requireContent(input)
  const { subject, html = null, text = null, reply_to, metadata } = input
  const message = { subject, html: html || null, text: text || null, metadata, replyTo: reply_to ?? undefined }
  return queueAwaited(context, { ...message, kind: 'message', to: customer.email, customer: customer.id })
}

/** Throws a 400 if the request contains no recipient, and a 422 if the address belongs to no customer. */
async function requireRecipient(
  context: Context,
  given: Pick<Partial<Input>, 'to' | 'customer'>,
): Promise<CustomerRow> {
  const { errors, customer } = await findRecipient(context, given)
  if (Object.keys(errors).length > 0) throw invalid(errors)
  if (!customer) throw missingParameter('to')
  return customer
}

/** Throws a 400 if the request contains no body. */
function requireContent({ html, text }: Pick<Partial<Input>, 'html' | 'text'>): void {
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
  return row ? decode(Customer, row) : null
}

/** Characters that require quotation marks around a name (RFC 5322, `specials`). */
const SPECIAL = /[()<>[\]:;@\\,."]/

const MOST = 500

const EMAIL_WORDS = words(
  Email,
  'An id, the start of the recipient’s address, or beginnings of words of the customer’s name',
  async (context, given) => [
    ['id', await idsStarting(context, { table: 'emails', column: 'to', words: given, most: MOST })],
    ['customer', await customersFound(context, given)],
  ],
)

const { list, create, retrieve } = verbs(Email)

export const emails = resource(Email, {
  derive: (rows) => rows.map(({ from_name, from_address }) => ({ from: `${quoted(from_name)} <${from_address}>` })),
  jobs: [deliverEmail, writeToTeam],
  operations: [
    create({
      id: 'send_email',
      summary: 'Send a transactional e-mail to a customer',
      description:
        'Requires `to` or `customer`, and `html` or `text`; an address that belongs to no customer is 422. It cannot be read back: the event email.sent or email.failed reports delivery. It is sent after the commit: a program sees `queued`, and a rollback or dry run sends nothing. Delivery is retried for a day. Limits: 60 requests a minute, and a daily number of e-mails per account and per address; beyond them, 429. Without a mail server, and in test accounts, messages are kept in an outbox and count as sent.',
      rate: 'slow',
      inTurn: true,
      example: {
        customer: 'cus_01k9z6v8q2f3x7c5m1n4b0r8ta',
        subject: 'Your workshop starts tomorrow',
        text: 'See you at 10.',
      },
      checks: [
        { fields: ['to', 'customer'], check: requireRecipient },
        { fields: ['html', 'text'], check: (_, given) => requireContent(given) },
      ],
      rule: sendEmail,
    }),
  ],
  dashboard: [
    list({
      summary: 'List e-mails',
      filters: {
        customer: equals(Email, 'customer', 'Only e-mails to this customer'),
        status: equals(Email, 'status', 'Only e-mails in this status'),
        query: EMAIL_WORDS,
      },
    }),
    retrieve({ summary: 'Show one e-mail' }),
  ],
})

function quoted(name: string): string {
  return SPECIAL.test(name) ? `"${name.replace(/["\\]/g, '\\$&')}"` : name
}
