import { html } from 'hono/html'
import { inOnePiece } from '../../../contract/values/values.ts'
import { emailBody } from '../../../resources/dashboard/email-body.ts'
import { ALWAYS } from '../../parts/asset.ts'
import { headedCard, type Page } from '../../parts/markup.ts'
import { type DashboardContext, pageAt, type Viewed, view } from '../kit/visit.ts'

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

async function emailContent(visit: DashboardContext, { id, subject }: Viewed<'email'>): Promise<Page> {
  const { kept, text, html: marked } = await visit.read(emailBody, id)
  if (!kept)
    return html`<p class="soft">What it says is not kept: it was too long, held a secret, or is older than 30 days.</p>`
  const frame = marked === null ? null : `${visit.base}/emails/${id}/html`
  return letterParts({ text, frame, title: subject })
}

/** Returns only the HTML part of the e-mail, which the page shows in a frame. */
export const emailDocumentPage = pageAt({
  path: '/emails/:id/html',
  get: async (visit, { id }) => {
    const { html: marked } = await visit.read(emailBody, id)
    return mailDocument(visit, marked ?? '')
  },
})

interface MailParts {
  text: string | null
  /** The address of the HTML part, or null if the e-mail has none. */
  frame: string | null
  title: string
}

/** Shows both parts of an e-mail. The HTML part is in a frame without scripts or navigation. */
export function letterParts({ text, frame, title }: MailParts): Page {
  const shownHtml = frame
    ? headedCard(
        'html-part',
        'HTML',
        html`<iframe class="mail-frame" sandbox="" title="${title}, as HTML" src="${frame}" loading="lazy"></iframe>`,
      )
    : ''
  const shownText = text
    ? headedCard('text-part', 'Plain text', html`<pre class="mail-text" tabindex="0">${text}</pre>`)
    : ''
  return html`${shownHtml}${shownText}`
}

/** Returns the HTML part of an e-mail. Its policy allows only inline styles and our files, and only our pages may frame it. */
export function mailDocument({ parts }: DashboardContext, body: string): Response {
  const files = inOnePiece(parts.publicUrl, '/files/')
  const policy = `default-src 'none'; style-src 'unsafe-inline'; img-src data: ${files}; sandbox; frame-ancestors 'self'; base-uri 'none'; form-action 'none'`
  return new Response(body, {
    headers: {
      ...ALWAYS,
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy,
      'X-Frame-Options': 'SAMEORIGIN',
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-store',
      'X-Robots-Tag': 'noindex, nofollow',
    },
  })
}
