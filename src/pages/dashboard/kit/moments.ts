import { html } from 'hono/html'
import { formatExactMoment } from '../../../words/moments.ts'
import type { Page } from '../../parts/document.ts'
import type { Visit } from './visit.ts'

/** A moment to the second, in the account's time zone; a dash where there is none. */
export function moment({ account }: Visit, timestamp: unknown, none = 'Never'): Page {
  if (typeof timestamp !== 'string') return html`<span class="none">${none}</span>`
  return html`<time datetime="${timestamp}" title="${account.timezone}">${formatExactMoment(timestamp, account.timezone)}</time>`
}
