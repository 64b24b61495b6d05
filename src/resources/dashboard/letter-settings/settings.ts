import { ApiError } from '../../../contract/declarations/errors.ts'
import { keysOf } from '../../../contract/values/keys.ts'
import type { Context } from '../../../records/context.ts'
import { dashboardRead } from '../../../records/dashboard-read.ts'
import { choicesOf, THE_ACCOUNT } from '../../messages/email/team/letter-choices.ts'
import { BUYER_LETTERS, type BuyerLetter, TEAM_LETTERS, type TeamLetter } from '../../messages/email/team/letters.ts'

/** Shows the e-mails to buyers that the account sends, and the e-mails to the team that the caller gets. */
export const letterSettings = dashboardRead('account.read', async (context) => {
  const [account, own] = [await choicesOf(context, THE_ACCOUNT), await choicesOf(context, personOf(context))]
  const sent = BUYER_LETTERS.map((letter) => [letter, account.get(letter) ?? true])
  const wanted = keysOf(TEAM_LETTERS).map((letter) => [letter, own.get(letter) ?? TEAM_LETTERS[letter].wanted])
  return Object.fromEntries([...sent, ...wanted]) as Record<BuyerLetter | TeamLetter, boolean>
})

/** Throws `permission_denied` unless the caller is a member. */
export function personOf({ caller }: Context): string {
  if (!('userId' in caller)) throw new ApiError('permission_denied', 'Only members have letters of their own.')
  return caller.userId
}
