import { view } from '../kit/visit.ts'
import { emailContent } from './email-body.ts'

export const emailView = view('email', {
  lead: 'Every e-mail from this shop: receipts, reminders, and messages you write yourself.',
  search: 'Recipient or customer',
  columns: ['subject', 'to', 'status', 'created_at'],
  without: ['id', 'subject', 'status', 'metadata'],
  labels: { to: 'To' },
  sections: [emailContent],
  form: {
    groups: [{ names: ['customer', 'to', 'subject', 'text', 'html', 'reply_to'] }],
    create: 'Send e-mail',
    labels: { text: 'Message', html: 'Message as HTML', reply_to: 'Reply-to' },
    hints: {
      customer: 'Choose a customer, or write an address below.',
      text: 'Plain text, which every e-mail program can show.',
      html: 'With inline styles. Shown instead of the plain text where supported.',
    },
  },
})
