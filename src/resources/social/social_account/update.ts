import type { Changes, Row } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow } from '../../../records/records.ts'
import { SocialAccount } from './social_account.ts'

export async function updateAccount(
  context: Context,
  account: Row<typeof SocialAccount>,
  changes: Changes<typeof SocialAccount>,
): Promise<Row<typeof SocialAccount>> {
  const changed = await changeRow(context, SocialAccount, account, changes)
  context.emit(SocialAccount, 'updated', changed)
  return changed
}
