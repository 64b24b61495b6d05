import { html } from 'hono/html'
import type { Page } from '../../parts/markup.ts'
import { buttonForm } from '../kit/page-rights.ts'
import type { Visit } from '../kit/visit.ts'

/** What is to be done about an address that is not confirmed; nothing where there is none. */
export async function addressNotice(visit: Visit): Promise<Page | string> {
  const { person, parts } = visit
  const asked = await parts.people.addresses.asked(person.userId)
  if (asked !== null && asked !== person.email)
    return html`<div class="notice wait"><p>A link is on its way to <strong>${asked}</strong>. Until you have opened it and confirmed the address, you sign in with <strong>${person.email}</strong>.</p>
${withoutServer(visit, html`${person.email} ${asked}`)}${buttonForm(visit, { path: '/you/address/cancel', words: 'Keep the current address' })}</div>`
  if (person.verified) return ''
  return html`<div class="notice wait"><p><strong>${person.email}</strong> is not confirmed yet. ${asked === null ? 'Until it is, you cannot be added to another account with this address.' : 'A link is on its way there: open it and confirm the address.'}</p>
${withoutServer(visit, html`${person.email}`)}${buttonForm(visit, { path: '/you/address/confirm', words: asked === null ? 'Send me a link' : 'Send the link again' })}</div>`
}

/** Letters are files where no mail server is set up. */
function withoutServer({ parts }: Visit, args: Page): Page | string {
  if (parts.services.mail.providerFor({ test: false }).sends) return ''
  return html`<p>This service has no mail server: messages are saved as files in its <code>outbox</code> directory, which the operator can read. The operator can also confirm the address with <code>npm run account -- address ${args}</code>.</p>`
}
