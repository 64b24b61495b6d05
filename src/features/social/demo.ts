import { call, type Happening } from '../../demo/happening.ts'
import type { Body, Shopkeeper } from '../../demo/shopkeeper.ts'

const account = (daysAgo: number, platform: string, body: object) =>
  call(daysAgo, '/social_accounts', { platform, ...body }, { as: platform })

const simulated = (token: string) => ({ username: 'kestrelpaper', credentials: { token } })

const post = (daysAgo: number, hour: number, accounts: string[], body: object, at?: [days: number, hour: number]) => {
  const social_accounts = accounts.map((one) => `@${one}`)
  return call(daysAgo, '/social_posts', { social_accounts, ...body }, { hour, ...(at && { on: { scheduled_at: at } }) })
}

const PRINT = {
  content: 'Two colors, two passes, one stubborn press. The kestrel of the last printing day is dry.',
  media: ['@print'],
  overrides: {
    threads: { content: 'Two colors, two passes, one stubborn press. #letterpress #printmaking', media: ['@print'] },
  },
}
const PATTERNS = {
  content: 'The patterns of the month: four tiles that fit whichever way you turn them.',
  media: ['@patterns'],
}

/**
 * Simulated accounts and their posts. The simulated X fails the first attempt at each post, so one post waits for a retry.
 * LinkedIn is not authorized yet. Metrics start 90 days before an account is connected.
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
  post(10, 14, ['threads', 'bluesky'], PRINT, [-9, 19]),
  { daysAgo: 7, act: answerComments },
  post(8, 12, ['bluesky'], {
    content: 'Six places, one hand press, twelve cards to take home: our printing day for beginners.',
    publish_now: true,
  }),
  post(3, 18, ['bluesky', 'x'], {
    content: 'Which stitch holds best? We sewed the same book three times and pulled.',
    publish_now: true,
  }),
  account(2, 'linkedin', { username: 'kestrel-paper-school' }),
  post(1, 15, ['threads', 'bluesky'], PATTERNS, [3, 18]),
  post(1, 16, ['bluesky', 'x'], {
    content: 'Calendar 2027: twelve birds, twelve months. You voted for the heron, so the heron got June.',
  }),
]

/** Replies of the shop by the text of the comment that they answer. */
const ANSWERS: Readonly<Record<string, string>> = {
  'When is the next date?': 'On the first Saturday of next month. Seats open on Friday.',
  'Can I download it in Norway?': 'Yes, in Norway and everywhere else, at once.',
}

/** Replies to known questions, and likes friendly comments on platforms that allow it. */
async function answerComments(shop: Shopkeeper): Promise<void> {
  const comments = await shop.list('/social_comments', { status: 'visible' })
  for (const comment of comments.filter(({ from_account }) => !from_account)) await react(shop, comment)
}

async function react(shop: Shopkeeper, { id, content, allowed_actions, replies_count }: Body): Promise<void> {
  const actions = allowed_actions as string[]
  const answer = ANSWERS[content as string]
  if (!answer && actions.includes('like')) await shop.call('POST', `/social_comments/${id}/like`)
  if (answer && replies_count === 0) await shop.call('POST', `/social_comments/${id}/reply`, { content: answer })
}
