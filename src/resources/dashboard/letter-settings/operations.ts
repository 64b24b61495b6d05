import { flag } from '../../../contract/declarations/kinds.ts'
import type { Context } from '../../../records/context.ts'
import { custom } from '../../../records/custom.ts'
import { resource } from '../../../records/resource.ts'
import { choose, THE_ACCOUNT } from '../../messages/email/team/letter-choices.ts'
import { Done, done } from '../done.ts'
import { personOf } from './settings.ts'

type Choices = Record<string, boolean | null | undefined>

/** E-mails to buyers, switched on or off for the whole account. */
const TO_BUYERS = {
  refund: flag('Whether buyers are e-mailed about refunds', true),
  renewal: flag('Whether buyers are e-mailed 30 days before a renewal of six months or longer', true),
  trial: flag('Whether buyers are e-mailed before a trial ends', true),
  cancellation: flag('Whether buyers are e-mailed when a subscription is canceled, or ends unpaid', true),
}

/** E-mails to a member, switched on or off by that member. */
const TO_TEAM = {
  sales: flag('Whether you are e-mailed about sales, at most once a day', false),
  failed_payments: flag('Whether you are e-mailed about failed payments, at most once a day', true),
  disputes: flag('Whether you are e-mailed about disputes', true),
  refunds: flag('Whether you are e-mailed about refunds, at most once a day', false),
  plans: flag('Whether you are e-mailed about plans that wait for a decision', true),
}

const OF_PEOPLE = { callers: ['session'], answers: Done } as const

export const letterChoices = resource(Done, {
  dashboard: [
    custom({
      ...OF_PEOPLE,
      id: 'set_buyer_letters',
      right: 'account.write',
      method: 'PATCH',
      path: '/letter_settings',
      summary: 'Choose which letters buyers get',
      body: TO_BUYERS,
      rule: (context, { input }) => done(chooseAll(context, THE_ACCOUNT, input)),
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
      rule: (context, { input }) => done(chooseAll(context, personOf(context), input)),
    }),
  ],
})

async function chooseAll(context: Context, userId: string, choices: Choices): Promise<void> {
  for (const [letter, wanted] of Object.entries(choices))
    if (typeof wanted === 'boolean') await choose(context, { userId, letter, wanted })
}
