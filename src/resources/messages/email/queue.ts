import { ApiError } from '../../../contract/declarations/errors.ts'
import { insertOne } from '../../../database/compile-once.ts'
import type { Context } from '../../../records/context.ts'
import { countUse } from '../../../records/daily-caps.ts'
import { insertRow } from '../../../records/records.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import type { AccountRow } from '../../company/account/account.ts'
import { currentAccount } from '../../company/account/current.ts'
import { deliverEmail } from './deliver.ts'
import { Email, type EmailRow } from './email.ts'
import { requireLetter, takeLetter } from './letter-budget.ts'
import { type LetterKind, UNCAPPED } from './letter-kinds.ts'
import { letterHtml } from './templates/html.ts'
import type { Letter, Shop } from './templates/letter.ts'
import { letterText } from './templates/text.ts'

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

/** The parts of a letter, which are small, or the two bodies that a member wrote. */
type StoredBody = { letter: Letter; shop: Shop } | { text: string | null; html: string | null }

const PURPOSE = 'email body'
/** The maximum size in characters; most letters have a tenth of that. */
const MOST_KEPT = 60_000

/** Members may read these letters, whose only secrets are links. `plans_waiting` is missing, because not all members may see plans. */
const READABLE: ReadonlySet<LetterKind> = new Set<LetterKind>([
  ...(['message', 'invoice', 'receipt', 'free_receipt', 'failed_renewal', 'failed_order', 'buyer_notice'] as const),
  ...(['team_notice', 'task_result'] as const),
])

/** Stores the encrypted content until the e-mail is deleted. Secret or too long content is not stored. */
async function keepBody(context: Context, { id }: EmailRow, kind: LetterKind, kept: StoredBody): Promise<void> {
  if (!READABLE.has(kind)) return
  const json = JSON.stringify('letter' in kept ? { ...kept, letter: withoutLinks(kept.letter) } : kept)
  if (json.length > MOST_KEPT) return
  const sealed = context.services.vault.seal(PURPOSE, json)
  const body = { account_id: context.accountId, id, sealed, created_at: context.realNow }
  await insertOne(context.db, 'email_bodies', body)
}

/** Returns null if the content was not stored. */
export async function bodyOf(
  context: Context,
  id: string,
): Promise<{ text: string | null; html: string | null } | null> {
  const row = await rowsOf(context, 'email_bodies').select('sealed').where('id', '=', id).executeTakeFirst()
  if (!row) return null
  const kept: StoredBody = JSON.parse(context.services.vault.open(PURPOSE, row.sealed))
  if (!('letter' in kept)) return kept
  return { text: letterText(kept.letter, kept.shop), html: letterHtml(kept.letter, kept.shop) }
}

/** Removes the paths of links, because a link can give access to a payment or to all purchases. */
function withoutLinks(letter: Letter): Letter {
  const parts = letter.parts.map((part) =>
    part.kind === 'link' ? { ...part, url: `${new URL(part.url).origin}/…` } : part,
  )
  return { ...letter, parts }
}
