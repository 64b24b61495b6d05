import { html } from 'hono/html'
import type { Page } from '../../parts/markup.ts'
import { shown } from '../kit/ask.ts'
import { pageAt, type Viewed, type Visit, view } from '../kit/visit.ts'
import { letterParts, mailDocument } from './mail-parts.ts'

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

/** What an e-mail says, on its page. */
export async function emailContent(visit: Visit, { id, subject }: Viewed<'email'>): Promise<Page> {
  const { kept, text, html: marked } = await shown(visit.ask('GET /email_bodies/{email}', { path: { email: id } }))
  if (!kept)
    return html`<p class="soft">What it says is not kept: it was too long, held a secret, or is older than 30 days.</p>`
  const frame = marked === null ? null : `${visit.base}/emails/${id}/html`
  return letterParts({ text, frame, title: subject })
}

/** Its HTML part by itself, for the frame of that page. */
export const emailDocument = pageAt({
  path: '/emails/:id/html',
  get: async (visit, { id }) => {
    const { html: marked } = await shown(visit.ask('GET /email_bodies/{email}', { path: { email: id } }))
    return mailDocument(visit, marked ?? '')
  },
})
