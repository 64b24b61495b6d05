import { html } from 'hono/html'
import { inOnePiece } from '../../../contract/values/values.ts'
import { ALWAYS } from '../../parts/asset.ts'
import { headedCard, type Page } from '../../parts/markup.ts'
import type { Visit } from '../kit/visit.ts'

interface MailParts {
  text: string | null
  /** The address of the HTML part by itself; null where there is none. */
  frame: string | null
  title: string
}

/** Both parts of an e-mail. The HTML part is in a frame that runs no script and opens nothing. */
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

/** The HTML part of an e-mail: it may have styles, files of ours, and nothing else; only pages of ours show it in a frame. */
export function mailDocument({ parts }: Visit, body: string): Response {
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
