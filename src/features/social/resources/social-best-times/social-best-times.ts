import { z } from 'zod'
import { flag, oneOf, reference, structure, timeZone } from '../../../../contract/declarations/kinds.ts'
import { answerNoun } from '../../../../contract/declarations/noun.ts'
import { PLATFORM_NAMES } from '../social-platform/social-platform.ts'

const Slot = z.object({
  weekday: z.int().describe('Day of the week, from 1 for Monday to 7'),
  hour: z.int().describe('Hour of the day, from 0 to 23'),
  score: z.number().describe('Engagement of posts in this hour, relative to the best hour (1)'),
  samples: z.int().describe('Number of posts it is based on'),
})
export type Slot = z.infer<typeof Slot>

export const SocialBestTimes = answerNoun('social_best_times', {
  group: 'SocialAnalytics',
  area: 'content',
  description: 'Hours of the week with the most engagement, based on the shop’s posts of the last 366 days.',
  gist: '',
  fields: {
    platform: oneOf(PLATFORM_NAMES, 'Only accounts on this platform are counted').nullable('all platforms'),
    social_account: reference('social_account', 'Only this account is counted', 'sacct_…').nullable('all accounts'),
    timezone: timeZone('Time zone of the hours'),
    slots: structure('array', z.array(Slot), 'Up to 20 hours, best first; empty before anything was published', [
      { weekday: 2, hour: 18, score: 1, samples: 3 },
    ]),
    sandbox: flag('Whether the built-in sandbox made up some of these figures', true),
  },
  example: { platform: null, social_account: null, timezone: 'Europe/Berlin' },
})
