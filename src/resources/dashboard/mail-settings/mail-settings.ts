import { integer, oneOf, text } from '../../../contract/declarations/kinds.ts'
import { answerNoun } from '../../../contract/declarations/noun.ts'

const count = (what: string) => integer(what, { min: 0, example: 0 })

export const MailSettings = answerNoun('mail_settings', {
  group: 'Account',
  area: 'settings',
  description: 'How the account’s e-mails are sent, and the results of the last 30 days.',
  fields: {
    from: text('Sender address of e-mails', { max: 400, example: 'shop@mail.example' }),
    reply_to: text('Address that replies go to', { max: 400, example: 'help@example.com' }).nullable(
      'the sender’s address',
    ),
    carrier: oneOf(['server', 'outbox'], 'server: sent by a mail server; outbox: kept and not sent'),
    reason: text('Explanation in one sentence', { example: 'A mail server sends them.' }),
    sent: count('E-mails that were sent'),
    queued: count('E-mails waiting for the mail server'),
    failed: count('E-mails that could not be sent'),
  },
})
