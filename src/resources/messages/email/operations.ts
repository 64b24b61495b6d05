import { equals } from '../../../records/filters.ts'
import { type Derived, resource } from '../../../records/resource.ts'
import { idsStarting, type Meant, words } from '../../../records/starting.ts'
import { verbs } from '../../../records/verbs.ts'
import { customersFound } from '../../audience/customer/found.ts'
import { deliverEmail } from './deliver.ts'
import { Email, type EmailRow } from './email.ts'
import { requireContent, requireRecipient, sendEmail } from './send.ts'
import { writeToTeam } from './team/write-to-team.ts'

/** Characters that require quotation marks around a name (RFC 5322, `specials`). */
const SPECIAL = /[()<>[\]:;@\\,."]/

const MOST = 500

const EMAIL_WORDS = words(
  Email,
  'An id, the start of the recipient’s address, or beginnings of words of the customer’s name',
  async (context, given): Promise<Meant[]> => {
    if (Email.isId(given)) return [['id', [given]]]
    return [
      ['id', await idsStarting(context, { table: 'emails', column: 'to', words: given, most: MOST })],
      ['customer', await customersFound(context, given)],
    ]
  },
)

const { list, create, retrieve } = verbs(Email)

export const emails = resource(Email, {
  derive: deriveEmails,
  jobs: [deliverEmail, writeToTeam],
  operations: [
    create({
      id: 'send_email',
      summary: 'Send a transactional e-mail to a customer',
      description:
        'Requires `to` or `customer`, and `html` or `text`; an address that belongs to no customer is 422. It cannot be read back: the event email.sent or email.failed reports delivery. It is sent after the commit: a program sees `queued`, and a rollback or dry run sends nothing. Delivery is retried for a day. Limits: 60 requests a minute, and a daily number of e-mails per account and per address; beyond them, 429. Without a mail server, and in test accounts, messages are kept in an outbox and count as sent.',
      rate: 'slow',
      inTurn: true,
      emits: ['email.created'],
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

function deriveEmails(rows: EmailRow[]): Derived[] {
  return rows.map(({ from_name, from_address }) => ({ from: `${quoted(from_name)} <${from_address}>` }))
}

function quoted(name: string): string {
  return SPECIAL.test(name) ? `"${name.replace(/["\\]/g, '\\$&')}"` : name
}
