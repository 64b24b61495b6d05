import type { Row } from '../../../contract/noun.ts'
import type { Context } from '../../../records/context.ts'
import { insertRow } from '../../../records/records.ts'
import { currentAccount } from '../../company/account/current.ts'
import { deliverEmail } from './deliver.ts'
import { Email } from './email.ts'

/** An e-mail that another rule writes. The caller of the operation sees it as `email.created` among the changes. */
export interface NewEmail {
  /** The address, in the form that customers have it. */
  to: string
  /** Id of the customer whose address it is. */
  customer?: string | null
  /** Without line breaks, at most 200 characters. */
  subject: string
  html?: string | null
  text?: string | null
  /** The account's support_email when absent. */
  replyTo?: string | undefined
  metadata?: Record<string, string> | undefined
}

/**
 * Writes an e-mail into the open transaction; it is sent after the commit. The operation or job needs `email.created` among
 * what it emits. `awaited` lets the answer of the operation wait until the mail server took it.
 */
export async function queueEmail(
  context: Context,
  { to, customer = null, subject, html = null, text = null, replyTo, metadata = {} }: NewEmail,
  { awaited = false } = {},
): Promise<Row<typeof Email>> {
  const account = await currentAccount(context)
  const email = await insertRow(context, Email, {
    to,
    customer,
    subject,
    html,
    text,
    metadata,
    status: 'queued',
    reply_to: replyTo ?? account.support_email,
    from_name: account.name,
    from_address: context.services.mail.from,
  })
  await context.enqueue(deliverEmail, { email: email.id }, { awaited })
  context.emit(Email, 'created', email)
  return email
}
