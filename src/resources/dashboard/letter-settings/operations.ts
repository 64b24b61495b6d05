import { ApiError } from '../../../contract/declarations/errors.ts'
import { oneOf } from '../../../contract/declarations/kinds.ts'
import type { AnswerOf } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import { custom } from '../../../records/custom.ts'
import { resource } from '../../../records/resource.ts'
import { type BuyerLetter, TEAM_LETTERS, type TeamLetter } from '../../messages/email/team/letters.ts'
import { choicesOf, choose, THE_ACCOUNT } from '../../messages/email/team/notices.ts'
import { LetterPreview, LetterSettings, PREVIEWS, TO_BUYERS, TO_TEAM } from './letter-settings.ts'
import { showPreview } from './preview.ts'

type Settings = AnswerOf<typeof LetterSettings>
type Choices = Record<string, boolean | null | undefined>

const OF_PEOPLE = { callers: ['session'], answers: LetterSettings } as const

export const letterSettings = resource(LetterSettings, {
  dashboard: [
    custom({
      ...OF_PEOPLE,
      id: 'retrieve_letter_settings',
      method: 'GET',
      path: '/letter_settings',
      summary: 'Show which letters are sent',
      rule: showLetterSettings,
    }),
    custom({
      ...OF_PEOPLE,
      id: 'set_buyer_letters',
      method: 'PATCH',
      path: '/letter_settings',
      summary: 'Choose which letters buyers get',
      body: TO_BUYERS,
      rule: setBuyerLetters,
    }),
    custom({
      ...OF_PEOPLE,
      id: 'set_own_letters',
      // Members choose their own e-mail notifications.
      right: 'self.write',
      method: 'PATCH',
      path: '/own_letters',
      summary: 'Choose which letters you get',
      body: TO_TEAM,
      rule: setOwnLetters,
    }),
  ],
})

export const letterPreviews = resource(LetterPreview, {
  dashboard: [
    custom({
      id: 'preview_letter',
      method: 'GET',
      path: '/letter_preview',
      summary: 'Show a letter with example data',
      answers: LetterPreview,
      query: { letter: oneOf(PREVIEWS, 'Name of the letter').default('receipt') },
      rule: (context, { query }) => showPreview(context, query.letter),
    }),
  ],
})

async function showLetterSettings(context: Context): Promise<Settings> {
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

async function setBuyerLetters(context: Context, { input }: { input: Choices }): Promise<Settings> {
  await chooseAll(context, THE_ACCOUNT, input)
  return showLetterSettings(context)
}

async function setOwnLetters(context: Context, { input }: { input: Choices }): Promise<Settings> {
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
