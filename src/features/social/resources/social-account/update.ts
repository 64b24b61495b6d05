import type { Changes } from '../../../../contract/declarations/noun.ts'
import type { Context } from '../../../../records/context.ts'
import { changeRow } from '../../../../records/records.ts'
import { SocialAccount, type SocialAccountRow } from './social-account.ts'

export async function updateAccount(
  context: Context,
  account: SocialAccountRow,
  changes: Changes<typeof SocialAccount>,
): Promise<SocialAccountRow> {
  const changed = await changeRow(context, SocialAccount, account, changes)
  context.emit(SocialAccount, 'updated', changed)
  return changed
}
