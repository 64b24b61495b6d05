import { type Credentials, type Login, PlatformRefusedError, type Profile, type SocialProvider } from '../provider.ts'
import { hashOf } from './chance.ts'
import { commentsOn } from './comments.ts'
import { accountDays, followersOn, postDays } from './figures.ts'

/** Tokens that decide what happens, as test cards do for payments. Any other token works. */
const TOKENS = [
  { token: 'works', description: 'Everything works' },
  { token: 'invalid', description: 'Access is refused' },
  { token: 'expires', description: 'Access expires right after connecting' },
  { token: 'refuses', description: 'Every post and every action on a comment is refused' },
  { token: 'flaky', description: 'Each post is refused once and works when it is tried again' },
] as const

/**
 * Plays every platform on this machine: it sends nothing and remembers nothing. All that it reports is computed from the
 * names of accounts and posts and from the moment, so that it is the same in every replica and after every restart.
 */
export const simulatedProvider: SocialProvider = {
  // Stored with accounts, and known to people by this name.
  name: 'sandbox',
  platforms: 'all',
  simulation: TOKENS,

  async connect({ login }) {
    const { token } = login.credentials
    if (token === undefined || token === 'invalid')
      throw new PlatformRefusedError(
        'The sandbox refused access: it needs credentials with a token other than "invalid".',
      )
    const username =
      login.username ?? usernameIn(login.credentials) ?? `${login.platform}_${hashOf(login.id).slice(0, 8)}`
    return { profile: profileOf({ ...login, username }, 0), credentials: { token } }
  },

  async publish({ login, key, target, firstComment }) {
    requireAccess(login)
    const { token } = login.credentials
    if (token === 'refuses' || (token === 'flaky' && key.endsWith('_1')))
      throw new PlatformRefusedError(`The sandbox refused the post, as the token "${token}" simulates.`)
    return {
      id: idOf(key),
      url: `${login.publicUrl}/social/sandbox/posts/${target}`,
      firstCommentId: firstComment === null ? null : idOf(`${key} first comment`),
    }
  },

  async sync({ login, posts, from, to, now }) {
    requireAccess(login)
    const range = { from, to }
    const ofPosts = posts.flatMap((post) => postDays(login, post, range))
    const days = [...accountDays(login, ofPosts, range), ...ofPosts]
    const comments = posts.flatMap((post) => commentsOn(post, now))
    const profile = profileOf({ ...login, username: login.username ?? '' }, followersOn(login, to))
    return { profile, comments, days }
  },

  async comment({ login, action, key }) {
    requireAccess(login)
    if (login.credentials.token === 'refuses')
      throw new PlatformRefusedError('The sandbox refused the action, as the token "refuses" simulates.')
    return { id: action === 'reply' ? idOf(key) : null }
  },
}

function idOf(key: string): string {
  return `sandbox_${hashOf(key).slice(0, 16)}`
}

function requireAccess({ credentials }: Login): void {
  if (credentials.token === 'expires')
    throw new PlatformRefusedError('The access to the account has expired. Connect it again.', { expired: true })
}

function usernameIn({ username = '' }: Credentials): string | undefined {
  return username === '' ? undefined : username
}

function profileOf({ id, username, publicUrl }: Login & { username: string }, followers: number): Profile {
  return {
    username,
    displayName: `${username} (sandbox)`,
    profileUrl: `${publicUrl}/social/sandbox/accounts/${id}`,
    avatarUrl: null,
    followersCount: followers,
  }
}
