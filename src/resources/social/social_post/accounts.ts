import type { Context } from '../../../records/context.ts'
import { findRows, requireIds } from '../../../records/records.ts'
import { SocialAccount, type SocialAccountRow } from '../social_account/social_account.ts'
import type { PlatformName } from '../social_platform/social_platform.ts'

/** The accounts of a body: their ids without repetition, and their platforms. A 404 for one that does not exist. */
export async function requireAccounts(
  context: Context,
  given: string[],
): Promise<{ ids: string[]; platforms: PlatformName[]; rows: SocialAccountRow[] }> {
  const ids = await requireIds(context, SocialAccount, given, 'social_accounts')
  const found = await findRows(context, SocialAccount, ids)
  const rows = ids.map((id) => found.get(id)!)
  return { ids, rows, platforms: [...new Set(rows.map(({ platform }) => platform))] }
}
