import type { Context } from '../../../../records/context.ts'
import { changeRow, findRow } from '../../../../records/records.ts'
import type { Refused } from '../asking.ts'
import { SocialAccount, type SocialAccountRow } from './social-account.ts'

export async function expireAccount(context: Context, account: SocialAccountRow, error_message: string): Promise<void> {
  const expired = await changeRow(context, SocialAccount, account, { status: 'expired', error_message })
  context.emit(SocialAccount, 'expired', expired)
}

/** Records a platform's refusal on an account. If the platform no longer accepts the access, the account expires. */
export async function noteRefusal(context: Context, id: string, { refused, expired }: Refused): Promise<void> {
  const account = await findRow(context, SocialAccount, id)
  if (account?.status !== 'connected') return
  await context.remember(SocialAccount, [account])
  if (expired) return expireAccount(context, account, refused)
  const noted = await changeRow(context, SocialAccount, account, { error_message: refused })
  context.emit(SocialAccount, 'updated', noted)
}
