import { z } from 'zod'
import { day } from '../../../../contract/declarations/day.ts'
import { flag, oneOf, reference, structure } from '../../../../contract/declarations/kinds.ts'
import { answerNoun } from '../../../../contract/declarations/noun.ts'
import { PLATFORM_NAMES } from '../social-platform/social-platform.ts'

const whole = (description: string) => z.int().describe(description)

const Metrics = z.object({
  posts: whole('Number of posts published by the shop'),
  impressions: whole('Number of views'),
  reach: whole('Number of people reached, each counted once a day'),
  likes: whole('Number of likes'),
  comments: whole('Number of comments'),
  shares: whole('Number of shares'),
  clicks: whole('Number of clicks on links'),
  saves: whole('Number of times saved for later'),
  followers: whole('Number of followers at the end'),
  followers_gained: whole('Number of followers gained in the period'),
  engagement_rate: z.number().describe('Likes, comments, shares, clicks and saves per impression'),
})
export type Metrics = z.infer<typeof Metrics>

export const Point = z.object({
  date: z.string().describe('First day'),
  metrics: Metrics,
})
export type Point = z.infer<typeof Point>

const EXAMPLE: Metrics = {
  posts: 4,
  impressions: 5200,
  reach: 4100,
  likes: 210,
  comments: 25,
  shares: 21,
  clicks: 63,
  saves: 31,
  followers: 1250,
  followers_gained: 38,
  engagement_rate: 0.0673,
}

export const EXAMPLE_POINT: Point = { date: '2026-01-15', metrics: EXAMPLE }

export const SocialAnalytics = answerNoun('social_analytics', {
  group: 'SocialAnalytics',
  area: 'content',
  description:
    'Figures of social accounts, or of one post, for a range of days in UTC, as of each account’s last refresh. Platforms without analytics report only followers.',
  gist: 'figures',
  fields: {
    from: day('First day'),
    to: day('Last day'),
    platform: oneOf(PLATFORM_NAMES, 'Only accounts on this platform are counted').nullable('all platforms'),
    social_account: reference('social_account', 'Only this account is counted', 'sacct_…').nullable('all accounts'),
    social_post: reference('social_post', 'Only this post is counted', 'spost_…').nullable('not limited to one post'),
    metrics: structure('object', Metrics, 'Figures for the whole period', EXAMPLE),
    by_platform: structure('object', z.record(z.string(), Metrics), 'The same figures for each platform, by name', {
      instagram: EXAMPLE_POINT.metrics,
    }).nullable('limited to one account or post'),
    points: structure('array', z.array(Point), 'The same figures for each interval', []).nullable(
      'no interval requested',
    ),
    sandbox: flag('Whether the built-in sandbox made up some of these figures', true),
  },
  example: { platform: null, social_account: null, social_post: null, points: null },
})
