import type { Call, Happening } from './happening.ts'

const account = (daysAgo: number, platform: string, body: object): Call => ({
  ...{ daysAgo, kind: 'call', path: '/social_accounts', as: platform },
  body: { platform, ...body },
})

const simulated = (token: string) => ({ username: 'kestrelpaper', credentials: { token } })

const post = (daysAgo: number, hour: number, accounts: string[], body: object, on: Call['on'] = {}): Call => ({
  ...{ daysAgo, hour, kind: 'call', path: '/social_posts', on },
  body: { social_accounts: accounts.map((one) => `@${one}`), ...body },
})

/**
 * Simulated accounts and what was posted there. X refuses each post once, so that one post waits to be tried again; nobody
 * has allowed access to LinkedIn yet. Their figures reach back 90 days before they were connected.
 */
export const SOCIAL: readonly Happening[] = [
  account(13, 'threads', simulated('works')),
  account(13, 'bluesky', simulated('works')),
  account(4, 'x', simulated('flaky')),
  post(12, 17, ['threads', 'bluesky'], {
    content:
      'The second edition of the Field Guide to Paper is here: 160 pages on fibers, grain and sizing, and which paper for which ink.',
    media: ['@guide', '@guide open'],
    publish_now: true,
  }),
  post(
    10,
    14,
    ['threads', 'bluesky'],
    {
      content: 'Two colors, two passes, one stubborn press. The kestrel of the last printing day is dry.',
      media: ['@print'],
      overrides: {
        threads: {
          content: 'Two colors, two passes, one stubborn press. #letterpress #printmaking',
          media: ['@print'],
        },
      },
    },
    { scheduled_at: [-9, 19] },
  ),
  { daysAgo: 7, kind: 'answer_comments' },
  post(8, 12, ['bluesky'], {
    content: 'Six places, one hand press, twelve cards to take home: our printing day for beginners.',
    publish_now: true,
  }),
  post(3, 18, ['bluesky', 'x'], {
    content: 'Which stitch holds best? We sewed the same book three times and pulled.',
    publish_now: true,
  }),
  account(2, 'linkedin', { username: 'kestrel-paper-school' }),
  post(
    1,
    15,
    ['threads', 'bluesky'],
    { content: 'The patterns of the month: four tiles that fit whichever way you turn them.', media: ['@patterns'] },
    { scheduled_at: [3, 18] },
  ),
  post(1, 16, ['bluesky', 'x'], {
    content: 'Calendar 2027: twelve birds, twelve months. You voted for the heron, so the heron got June.',
  }),
]
