import { invalid } from '../../../contract/declarations/errors.ts'
import type { Context } from '../../../records/context.ts'
import { findRows, insertRow } from '../../../records/records.ts'
import { SocialAccount } from '../social_account/social_account.ts'
import { SocialPost, type SocialPostRow } from './social_post.ts'

/** A new draft of what a post says, for those of its accounts that there still are. */
export async function duplicatePost(context: Context, post: SocialPostRow): Promise<SocialPostRow> {
  const found = await findRows(context, SocialAccount, post.social_accounts)
  const social_accounts = post.social_accounts.filter((id) => found.has(id))
  if (social_accounts.length === 0) throw invalid({ social_accounts: ['were all disconnected'] })
  const { content, media, link_url, first_comment, language, overrides, timezone, metadata } = post
  const copy = await insertRow(context, SocialPost, {
    ...{ content, media, link_url, first_comment, language, overrides, timezone, metadata, social_accounts },
    platforms: [...new Set([...found.values()].map(({ platform }) => platform))],
    status: 'draft',
  })
  context.emit(SocialPost, 'created', copy)
  return copy
}
