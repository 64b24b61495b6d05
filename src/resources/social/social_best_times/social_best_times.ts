import { z } from 'zod'
import { flag, oneOf, reference, structure, timeZone } from '../../../contract/kinds.ts'
import { answerNoun } from '../../../contract/noun.ts'
import { PLATFORM_NAMES } from '../social_platform/social_platform.ts'

const Slot = z.object({
  weekday: z.int().describe('Day of the week, from 1 for Monday to 7'),
  hour: z.int().describe('Hour of the day, from 0 to 23'),
  score: z.number().describe('Engagement of the posts of this hour, where 1 is that of the best hour'),
  samples: z.int().describe('Number of posts that it is computed from'),
})
export type Slot = z.infer<typeof Slot>

export const SocialBestTimes = answerNoun('social_best_times', {
  group: 'SocialAnalytics',
  description: 'Hours of the week at which posts of the shop did best, from its posts of the last 366 days.',
  fields: {
    platform: oneOf(PLATFORM_NAMES, 'Only accounts on this platform are counted').nullable('all platforms'),
    social_account: reference('social_account', 'Only this account is counted', 'sacct_…').nullable('all accounts'),
    timezone: timeZone('Time zone of the hours'),
    slots: structure(
      'array',
      z.array(Slot),
      'At most 20 hours, the best one first; none before anything was published',
      [{ weekday: 2, hour: 18, score: 1, samples: 3 }],
    ),
    sandbox: flag('Some of these figures are made up by the built-in sandbox', true),
  },
  example: { platform: null, social_account: null, timezone: 'Europe/Berlin' },
})
