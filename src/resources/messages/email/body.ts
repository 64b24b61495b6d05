import { insertOne } from '../../../database/compile-once.ts'
import type { Context } from '../../../records/context.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import type { EmailRow } from './email.ts'
import type { LetterKind } from './letter_kinds.ts'
import { letterHtml } from './templates/html.ts'
import type { Letter, Shop } from './templates/letter.ts'
import { letterText } from './templates/text.ts'

/** What is kept of an e-mail: a letter of the service as its parts, which are small, or what a member wrote. */
export type Kept = { letter: Letter; shop: Shop } | { text: string | null; html: string | null }

const PURPOSE = 'email body'
/** Characters of a body that is kept. Most have a tenth of it. */
const MOST_KEPT = 60_000

/**
 * Letters that hold no secret besides their links, so that those who look after the shop may read them later. What a plan changes is
 * for those alone who may decide on it.
 */
const READABLE: ReadonlySet<LetterKind> = new Set<LetterKind>([
  ...(['message', 'invoice', 'receipt', 'free_receipt', 'failed_renewal', 'failed_order', 'buyer_notice'] as const),
  ...(['team_notice', 'task_result'] as const),
])

/** Keeps what an e-mail says, sealed, as long as the e-mail. What is too long, or is a secret, is not kept. */
export async function keepBody(context: Context, { id }: EmailRow, kind: LetterKind, kept: Kept): Promise<void> {
  if (!READABLE.has(kind)) return
  const json = JSON.stringify('letter' in kept ? { ...kept, letter: withoutLinks(kept.letter) } : kept)
  if (json.length > MOST_KEPT) return
  const sealed = context.services.vault.seal(PURPOSE, json)
  const body = { account_id: context.accountId, id, sealed, created_at: context.realNow }
  await insertOne(context.db, 'email_bodies', body)
}

/** Both parts of an e-mail, or null where they are not kept. */
export async function bodyOf(
  context: Context,
  id: string,
): Promise<{ text: string | null; html: string | null } | null> {
  const row = await rowsOf(context, 'email_bodies').select('sealed').where('id', '=', id).executeTakeFirst()
  if (!row) return null
  const kept: Kept = JSON.parse(context.services.vault.open(PURPOSE, row.sealed))
  if (!('letter' in kept)) return kept
  return { text: letterText(kept.letter, kept.shop), html: letterHtml(kept.letter, kept.shop) }
}

/** A link of a letter opens what is its reader's: a payment, or all purchases. */
function withoutLinks(letter: Letter): Letter {
  const parts = letter.parts.map((part) =>
    part.kind === 'link' ? { ...part, url: `${new URL(part.url).origin}/…` } : part,
  )
  return { ...letter, parts }
}
