import type { Message } from '../../../src/providers/mail/provider.ts'

/** A message as rules make them. */
export function message(values: Partial<Message> = {}): Message {
  return {
    id: 'email_01k9z6v8q2f3x7c5m1n4b0r8ta',
    from: { name: 'Ada’s Books', address: 'shop@mail.example' },
    to: 'ada@example.com',
    replyTo: 'help@example.com',
    subject: 'Your order',
    text: 'Thank you.',
    html: '<p>Thank you.</p>',
    date: '2026-03-01T10:00:00Z',
    ...values,
  }
}
