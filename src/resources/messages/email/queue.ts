import type { Context } from '../../../records/context.ts'
import { insertRow } from '../../../records/records.ts'
import type { AccountRow } from '../../company/account/account.ts'
import { currentAccount } from '../../company/account/current.ts'
import { keepBody, type StoredBody } from './body.ts'
import { deliverEmail } from './deliver.ts'
import { Email, type EmailRow } from './email.ts'
import { requireLetter, takeLetter } from './letter-budget.ts'
import type { LetterKind } from './letter-kinds.ts'

export interface ComposedEmail {
  /** At most 200 characters without line breaks. */
  subject: string
  html?: string | null
  text?: string | null
  /** The content that is stored for members; defaults to the bodies. */
  kept?: StoredBody | undefined
}

/** The changes of the operation contain the e-mail as `email.created`. */
export interface NewEmail extends ComposedEmail {
  kind: LetterKind
  /** Normalized like the addresses of customers. */
  to: string
  customer?: string | null
  /** Defaults to the account's support_email. */
  replyTo?: string | undefined
  metadata?: Record<string, string> | undefined
  /** The page on which the reader can unsubscribe. */
  stopUrl?: string | undefined
}

/**
 * Inserts an e-mail to send after the commit. If a limit is exceeded, it fails at once. The operation or job must declare
 * `email.created`.
 */
export async function queueEmail(
  context: Context,
  recipient: Omit<NewEmail, keyof ComposedEmail>,
  compose: (account: AccountRow) => Promise<ComposedEmail>,
): Promise<EmailRow> {
  const [refusal, account] = await Promise.all([takeLetter(context, recipient), currentAccount(context)])
  return write(context, account, { ...recipient, ...(await compose(account)) }, { refusal: refusal?.message })
}

/** Queues an e-mail that a caller wrote; the response waits for the mail server. Throws a 429 if a limit is exceeded. */
export async function queueAwaited(context: Context, email: NewEmail): Promise<EmailRow> {
  await requireLetter(context, email)
  return write(context, await currentAccount(context), email, { awaited: true })
}

async function write(
  context: Context,
  account: AccountRow,
  { kind, to, customer = null, subject, html = null, text = null, replyTo, metadata = {}, stopUrl, kept }: NewEmail,
  { refusal, awaited = false }: { refusal?: string | undefined; awaited?: boolean },
): Promise<EmailRow> {
  const bodies = refusal === undefined ? { html, text } : { html: null, text: null }
  const email = await insertRow(context, Email, {
    to,
    customer,
    subject,
    ...bodies,
    metadata,
    status: 'queued',
    reply_to: replyTo ?? account.support_email,
    from_name: account.name,
    from_address: context.services.mail.from,
    stop_url: stopUrl ?? null,
  })
  if (refusal === undefined) await keepBody(context, email, kind, kept ?? { text, html })
  await context.enqueue(deliverEmail, { email: email.id, refusal }, { awaited })
  context.emit(Email, 'created', email)
  return email
}
