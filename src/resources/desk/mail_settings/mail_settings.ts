import { integer, oneOf, text } from '../../../contract/kinds.ts'
import { answerNoun } from '../../../contract/noun.ts'

const count = (what: string) => integer(what, { min: 0, example: 0 })

export const MailSettings = answerNoun('mail_settings', {
  group: 'Account',
  description: 'How the e-mails of the account leave, and what has become of those of the last 30 days.',
  fields: {
    from: text('Address that e-mails come from', { max: 400, example: 'shop@mail.example' }),
    reply_to: text('Address that replies go to', { max: 400, example: 'help@example.com' }).nullable(
      'they go to the sender',
    ),
    carrier: oneOf(['server', 'outbox'], 'server: a mail server takes them; outbox: they are kept and go nowhere'),
    reason: text('Why it is so, in a sentence', { example: 'A mail server takes them.' }),
    sent: count('E-mails that were sent'),
    queued: count('E-mails that wait for the mail server'),
    failed: count('E-mails that could not be sent'),
  },
})
