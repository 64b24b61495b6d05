import { ApiError } from '../../../contract/declarations/errors.ts'
import type { Context } from '../../../records/context.ts'
import { choicesOf, choose, THE_ACCOUNT } from '../../messages/email/team/choices.ts'
import { BUYER_LETTERS, TEAM_LETTERS } from '../../messages/email/team/letters.ts'

type Choices = Record<string, boolean | null | undefined>

/** Returns which letters the account sends to buyers and which the caller receives. */
export async function showLetterSettings(context: Context): Promise<object> {
  const [account, own] = [await choicesOf(context, THE_ACCOUNT), await choicesOf(context, personOf(context))]
  const buyers = BUYER_LETTERS.map((letter) => [letter, account.get(letter) ?? true] as const)
  const team = Object.entries(TEAM_LETTERS).map(([letter, { wanted }]) => [letter, own.get(letter) ?? wanted] as const)
  return Object.fromEntries([...buyers, ...team])
}

export async function setBuyerLetters(context: Context, { input }: { input: Choices }): Promise<object> {
  await chooseAll(context, THE_ACCOUNT, input)
  return showLetterSettings(context)
}

export async function setOwnLetters(context: Context, { input }: { input: Choices }): Promise<object> {
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
