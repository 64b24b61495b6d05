import { ApiError } from '../../../contract/declarations/errors.ts'
import type { AnswerOf } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import { choicesOf, choose, THE_ACCOUNT } from '../../messages/email/team/choices.ts'
import { type BuyerLetter, TEAM_LETTERS, type TeamLetter } from '../../messages/email/team/letters.ts'
import type { LetterSettings } from './letter-settings.ts'

type Settings = AnswerOf<typeof LetterSettings>
type Choices = Record<string, boolean | null | undefined>

export async function showLetterSettings(context: Context): Promise<Settings> {
  const [account, own] = [await choicesOf(context, THE_ACCOUNT), await choicesOf(context, personOf(context))]
  const sent = (letter: BuyerLetter) => account.get(letter) ?? true
  const wanted = (letter: TeamLetter) => own.get(letter) ?? TEAM_LETTERS[letter].wanted
  return {
    refund: sent('refund'),
    renewal: sent('renewal'),
    trial: sent('trial'),
    cancellation: sent('cancellation'),
    sales: wanted('sales'),
    failed_payments: wanted('failed_payments'),
    disputes: wanted('disputes'),
    refunds: wanted('refunds'),
    plans: wanted('plans'),
  }
}

export async function setBuyerLetters(context: Context, { input }: { input: Choices }): Promise<Settings> {
  await chooseAll(context, THE_ACCOUNT, input)
  return showLetterSettings(context)
}

export async function setOwnLetters(context: Context, { input }: { input: Choices }): Promise<Settings> {
  await chooseAll(context, personOf(context), input)
  return showLetterSettings(context)
}

async function chooseAll(context: Context, userId: string, choices: Choices): Promise<void> {
  for (const [letter, wanted] of Object.entries(choices))
    if (typeof wanted === 'boolean') await choose(context, { userId, letter, wanted })
}

function personOf({ caller }: Context): string {
  if (!('userId' in caller)) throw new ApiError('permission_denied', 'Only members have letters of their own.')
  return caller.userId
}
