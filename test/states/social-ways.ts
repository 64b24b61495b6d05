import { connected, inDays, received } from '../support/social.ts'
import { after, having, type Way, type Ways } from './ways.ts'

let made = 0

const account: Way = async (shop) => (await connected(shop)).id

const unconnected: Way = async (shop) =>
  (await shop.post('/social_accounts', { platform: 'x', username: `waiting_${++made}` })).id

/** A post of accounts with these tokens: the sandbox of a flaky one fails once. */
const post =
  (tokens: string[], more: Record<string, unknown> = {}): Way =>
  async (shop) => {
    const accounts = await Promise.all(tokens.map((token) => connected(shop, { token })))
    const social_accounts = accounts.map(({ id }) => id)
    return (await shop.post('/social_posts', { social_accounts, content: 'Hello', ...more })).id
  }

const draft = post(['works'])
const now = { publish_now: true }

/** On a platform that lets apps do everything with comments. */
const comment: Way = async (shop) => received(shop, await connected(shop, { platform: 'facebook' }))

/** How rows of the social networks come to their states. What lasts milliseconds, or a platform decides, is set. */
export const socialWays: Ways = {
  social_account: {
    pending: unconnected,
    connected: account,
    expired: having('social_accounts', { status: 'expired' }, account),
    error: having('social_accounts', { status: 'error' }, account),
    disconnected: having('social_accounts', { status: 'disconnected' }, account),
  },
  social_post: {
    draft,
    scheduled: post(['works'], { scheduled_at: inDays(3) }),
    publishing: having('social_posts', { status: 'publishing' }, draft),
    published: post(['works'], now),
    partially_failed: post(['works', 'flaky'], now),
    failed: post(['flaky'], now),
  },
  social_comment: {
    visible: comment,
    hidden: after('/social_comments/{id}/hide', comment),
    'visible, our own': having('social_comments', { from_account: 1 }, comment),
  },
}
