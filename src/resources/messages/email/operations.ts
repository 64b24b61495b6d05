import { equals } from '../../../records/filters.ts'
import { resource } from '../../../records/resource.ts'
import { verbs } from '../../../records/verbs.ts'
import { deliverEmail } from './deliver.ts'
import { Email } from './email.ts'
import { requireContent, requireRecipient, sendEmail } from './send.ts'
import { deriveEmails } from './show.ts'

const { list, create, retrieve } = verbs(Email)

export const emails = resource(Email, {
  derive: deriveEmails,
  jobs: [deliverEmail],
  operations: [
    create({
      id: 'send_email',
      summary: 'Send a transactional e-mail to a customer',
      description:
        'Needs `to` or `customer`, and `html` or `text`; an address that no customer of the account has is 422. It is sent after the commit, so a program shows `queued`, and one that is rolled back or a dry run sends nothing. A server that does not take it is tried again for a day. 60 requests a minute; an account can send so many e-mails a day, and a few of them to one address, and more are 429. Without a mail server, and in test accounts, messages are kept in an outbox and count as sent.',
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
  desk: [
    list({
      summary: 'List e-mails',
      filters: {
        customer: equals(Email, 'customer', 'Only e-mails to this customer'),
        status: equals(Email, 'status', 'Only e-mails in this status'),
      },
    }),
    retrieve({ summary: 'Show one e-mail' }),
  ],
})
