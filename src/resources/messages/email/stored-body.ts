import { insertOne } from '../../../database/compile-once.ts'
import type { Context } from '../../../records/context.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import type { EmailRow } from './email.ts'
import type { LetterKind } from './letter-kinds.ts'
import { letterHtml } from './templates/html.ts'
import type { Letter, Shop } from './templates/letter.ts'
import { letterText } from './templates/text.ts'

/** The parts of a letter, which are small, or the two bodies that a member wrote. */
export type StoredBody = { letter: Letter; shop: Shop } | { text: string | null; html: string | null }

const PURPOSE = 'email body'
/** The maximum size in characters; most letters have a tenth of that. */
const MOST_KEPT = 60_000

/** Members may read these letters, whose only secrets are links. `plans_waiting` is missing, because not all members may see plans. */
const READABLE: ReadonlySet<LetterKind> = new Set<LetterKind>([
  ...(['message', 'invoice', 'receipt', 'free_receipt', 'failed_renewal', 'failed_order', 'buyer_notice'] as const),
  ...(['team_notice', 'task_result'] as const),
])

/** Stores the encrypted content until the e-mail is deleted. Secret or too long content is not stored. */
export async function keepBody(context: Context, { id }: EmailRow, kind: LetterKind, kept: StoredBody): Promise<void> {
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
