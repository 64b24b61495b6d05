import { ApiError } from '../../../contract/declarations/errors.ts'
import type { Context } from '../../../records/context.ts'
import { countUse } from '../../../records/daily-caps.ts'
import { insertRow } from '../../../records/records.ts'
import type { AccountRow } from '../../company/account/account.ts'
import { currentAccount } from '../../company/account/current.ts'
import { keepBody, type StoredBody } from './body.ts'
import { deliverEmail } from './deliver.ts'
import { Email, type EmailRow } from './email.ts'
import { requireLetter, takeLetter } from './letter-budget.ts'
import { type LetterKind, UNCAPPED } from './letter-kinds.ts'

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
  const [limit, account] = await Promise.all([takeLetter(context, recipient), currentAccount(context)])
  const refusal = limit ?? (await overCap(context, recipient))
  return write(context, account, { ...recipient, ...(await compose(account)) }, { refusal: refusal?.message })
}

/** Queues an e-mail that a caller wrote; the response waits for the mail server. Throws a 429 if a limit is exceeded, and a 403 over a daily cap. */
export async function queueAwaited(context: Context, email: NewEmail): Promise<EmailRow> {
  await requireLetter(context, email)
  const refusal = await overCap(context, email)
  if (refusal) throw refusal
  return write(context, await currentAccount(context), email, { awaited: true })
}

/** Counts a letter for the daily caps of the tokens that caused it. Returns the error, after which nothing is counted, over a cap. */
async function overCap(context: Context, { kind }: Pick<NewEmail, 'kind'>): Promise<ApiError | null> {
  const counted = UNCAPPED.includes(kind) ? null : await countUse(context, { of: 'emails', count: 1 })
  return counted instanceof ApiError ? counted : null
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
