import { headerValue } from '../../../contract/declarations/header-value.ts'
import { email, longText, metadata, oneOf, reference, text, timestamp } from '../../../contract/declarations/kinds.ts'
import { noun, type Row } from '../../../contract/declarations/noun.ts'
import { mailHtml } from '../../../contract/declarations/rich-text.ts'

/** The maximum length in characters, although some mail clients cut off messages longer than about 100,000. */
const MAX_HTML = 200_000
const MAX_TEXT = 100_000

export const Email = noun('email', {
  prefix: 'email',
  group: 'Emails',
  area: 'customers',
  description: 'An e-mail to a customer and its delivery status.',
  gist: 'to a customer',
  events: ['created', 'sent', 'failed'],
  immutable: true,
  hidden: {
    from_name: text('Name of the shop when it was written'),
    from_address: text('Address that it comes from'),
    stop_url: text('Where its reader stops such letters').nullable(),
  },
  fields: {
    to: headerValue(
      email('Recipient’s address, which must be a customer’s. Default: the address of `customer`'),
    ).createOnly(),
    customer: reference('customer', 'Recipient. Default: the customer with the address `to`', 'cus_…')
      .nullable('the recipient is not a customer')
      .createOnly()
      .expandable(),
    subject: headerValue(text('Subject', { max: 200, example: 'Your workshop starts tomorrow' }))
      .required()
      .createOnly(),
    html: mailHtml(
      'HTML body; mail clients need inline styles; scripts, forms and frames are removed',
      MAX_HTML,
      '<p>See you at 10.</p>',
    )
      .nullable('text only')
      .createOnly()
      .inputOnly(),
    text: longText('Plain text body', MAX_TEXT, 'See you at 10.').nullable('HTML only').createOnly().inputOnly(),
    status: oneOf(
      ['queued', 'sent', 'failed'],
      'queued: waiting to be sent or retried; sent: accepted by the mail server; failed: refused by the server, not accepted within a day, or over the daily limit for such e-mails',
    ).readOnly(),
    from: text('Sender: the shop’s name and this service’s address', {
      max: 500,
      example: 'Ada’s Books <shop@mail.example>',
    }).derived(),
    reply_to: headerValue(email('Address for replies. Default: support_email of the account'))
      .nullable('the sender’s address')
      .createOnly(),
    sent_at: timestamp('When the mail server accepted it').nullable('not sent').readOnly(),
    error_message: text('Why it failed').nullable('not failed').readOnly(),
    metadata: metadata().createOnly(),
  },
})

export type EmailRow = Row<typeof Email>
