import { html } from 'hono/html'
import type { Page } from '../../parts/document.ts'
import { framed } from './frame.ts'
import type { Visit } from './visit.ts'

/** The address is unknown, or belongs to another account. */
export function unknownPage(visit: Visit): Page {
  return told(
    visit,
    'Page not found',
    html`<p>It may have been deleted, or the address is wrong.</p><p><a href="${visit.base}">Go to the start page</a></p>`,
  )
}

/** An operation refused what the page is about. */
export function refusedPage(visit: Visit, { status, message }: { status: number; message: string }): Page {
  return told(
    visit,
    status === 403 ? 'You do not have permission' : 'This is not possible',
    html`<p>${message}</p><p><a href="${visit.base}">Go to the start page</a></p>`,
  )
}

/** A form that came from another site, or from a page that was opened before the person signed in anew. */
export function foreignFormPage(visit: Visit): Page {
  return told(
    visit,
    'This form has expired',
    html`<p>Nothing was changed. You opened it before you last signed in, or it did not come from this dashboard.</p><p><a href="${visit.path}">Open the page again</a></p>`,
  )
}

export function failurePage(visit: Visit, requestId: string): Page {
  return told(
    visit,
    'Something went wrong',
    html`<p>The problem is on our side and was logged as <code>${requestId}</code>. No partial changes were made. Try again.</p>`,
  )
}

function told(visit: Visit, title: string, content: Page): Page {
  return framed(visit, { title }, html`<section class="card telling">${content}</section>`)
}
