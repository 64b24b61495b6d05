import { headerValue } from '../../../contract/header-value.ts'
import { email, longText, metadata, oneOf, reference, text, timestamp } from '../../../contract/kinds.ts'
import { noun } from '../../../contract/noun.ts'
import { mailHtml } from '../../../contract/rich-text.ts'

/** Characters of a body. Mail clients cut off messages that are longer than about 100,000. */
const MAX_HTML = 200_000
const MAX_TEXT = 100_000

export const Email = noun('email', {
  prefix: 'email',
  group: 'Emails',
  description: 'A message to a customer, and what became of it.',
  events: ['created', 'sent', 'failed'],
  immutable: true,
  hidden: {
    from_name: text('Name of the shop when it was written'),
    from_address: text('Address that it comes from'),
  },
  fields: {
    to: headerValue(
      email('Address that it goes to, of a customer of the account. Absent: that of `customer`'),
    ).createOnly(),
    customer: reference('customer', 'Customer that it goes to. Absent: the one with the address `to`', 'cus_…')
      .nullable('to somebody who is no customer')
      .createOnly()
      .expandable(),
    subject: headerValue(text('Subject', { max: 200, example: 'Your workshop starts tomorrow' }))
      .required()
      .createOnly(),
    html: mailHtml(
      'Body in HTML, with inline styles as mail clients need them; scripts, forms and frames are taken out',
      MAX_HTML,
      '<p>See you at 10.</p>',
    )
      .nullable('text alone')
      .createOnly()
      .inputOnly(),
    text: longText('Body in plain text', MAX_TEXT, 'See you at 10.').nullable('HTML alone').createOnly().inputOnly(),
    status: oneOf(
      ['queued', 'sent', 'failed'],
      'queued: waits for the mail server, or for another try; sent: the server took it; failed: the server refused it, took nothing for a day, or the daily limit of such e-mails was reached',
    ).readOnly(),
    from: text('Sender: the name of the shop and the address of this service', {
      max: 500,
      example: 'Ada’s Books <shop@mail.example>',
    }).derived(),
    reply_to: headerValue(email('Address that replies go to. Absent: support_email of the account'))
      .nullable('replies go to the sender')
      .createOnly(),
    sent_at: timestamp('When the mail server took it').nullable('not sent').readOnly(),
    error_message: text('Why it failed').nullable('not failed').readOnly(),
    metadata: metadata().createOnly(),
  },
})
