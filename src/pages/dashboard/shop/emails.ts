import type { View } from '../kit/visit.ts'

export const emailView: View = {
  lead: 'Everything that this shop has written to people: receipts, reminders, and what you write yourself.',
  columns: ['subject', 'to', 'status', 'created_at'],
  without: ['id', 'subject', 'status', 'metadata'],
  labels: { to: 'To', text: 'Words', html: 'Look' },
  form: {
    groups: [{ names: ['customer', 'to', 'subject', 'text', 'html', 'reply_to'] }],
    create: 'Send e-mail',
    labels: { text: 'Message', html: 'Message as HTML', reply_to: 'Replies go to' },
    hints: {
      customer: 'Choose a customer, or write an address below.',
      text: 'Plain text, which every program for e-mail can show.',
      html: 'With its styles inside; shown in place of the plain text where it can be.',
    },
  },
}
