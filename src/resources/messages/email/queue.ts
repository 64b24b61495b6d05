import { ApiError } from '../../../contract/declarations/errors.ts'
import type { Context } from '../../../records/context.ts'
import { countUse } from '../../../records/daily-caps.ts'
import { insertRow } from '../../../records/records.ts'
import type { AccountRow } from '../../company/account/account.ts'
import { currentAccount } from '../../company/account/current.ts'
import { deliverEmail } from './deliver.ts'
import { Email, type EmailRow } from './email.ts'
import { requireLetter, takeLetter } from './letter-budget.ts'
import { type LetterKind, UNCAPPED } from './letter-kinds.ts'
import { keepBody, type StoredBody } from './stored-body.ts'

export interface ComposedEmail {
  /** At most 200 characters without line breaks. */
  subject: string
  html?: string | null
  text?: string | null
  /** The content that is stored for members; defaults to the bodies. */
  kept?: StoredBody | undefined
}

/** An e-mail to queue. Queueing it emits `email.created`. */
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
 * Queues an e-mail, which is sent after the commit. An e-mail that exceeds a limit is stored too, but fails without being sent.
 * The operation or job must declare `email.created`.
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

/**
 * Queues an e-mail for which the response waits. Throws a 429 if a limit is exceeded, and a 403 if a daily cap of a token is
 * exceeded.
 */
export async function queueAwaited(context: Context, email: NewEmail): Promise<EmailRow> {
  await requireLetter(context, email)
  const refusal = await overCap(context, email)
  if (refusal) throw refusal
  return write(context, await currentAccount(context), email, { awaited: true })
}

/**
 * Counts a letter for the daily caps of the tokens that caused it, and returns null. If a cap is exceeded, counts nothing and
 * returns the error.
 */
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
  return context.emit(Email, 'created', email)
}
