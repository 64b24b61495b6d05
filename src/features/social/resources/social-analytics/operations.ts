import { custom } from '../../../../records/custom.ts'
import { resource } from '../../../../records/resource.ts'
import { summarize, summarizeAccount, summarizePost } from './figures.ts'
import { ACCOUNTS, INTERVAL, PERIOD } from './period.ts'
import { SocialAnalytics } from './social-analytics.ts'

export const socialAnalytics = resource(SocialAnalytics, {
  operations: [
    custom({
      id: 'retrieve_social_account_analytics',
      method: 'GET',
      path: '/social_accounts/{id}/analytics',
      summary: 'Figures of one social account',
      description: 'Performance of one profile: reach, likes, new followers.',
      answers: SocialAnalytics,
      query: { ...PERIOD, interval: INTERVAL },
      rule: (context, { path, query }) => summarizeAccount(context, path.id, query),
    }),
    custom({
      id: 'retrieve_social_post_analytics',
      method: 'GET',
      path: '/social_posts/{id}/analytics',
      summary: 'Figures of one social post',
      description: 'People who saw and liked one publication, across all of its accounts. Its followers are always 0.',
      answers: SocialAnalytics,
      query: PERIOD,
      rule: (context, { path, query }) => summarizePost(context, path.id, query),
    }),
    custom({
      id: 'retrieve_social_analytics',
      method: 'GET',
      path: '/social_analytics',
      summary: 'Totals over all social accounts',
      description: 'Overall performance of the shop on social networks, and how the networks compare.',
      answers: SocialAnalytics,
      query: { ...PERIOD, ...ACCOUNTS },
      rule: (context, { query }) => summarize(context, query),
    }),
  ],
})
