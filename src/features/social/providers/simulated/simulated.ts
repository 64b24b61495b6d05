import { createHash } from 'node:crypto'
import { DAY_MS, HOUR_MS } from '../../../../contract/values/values.ts'
import {
  type Counts,
  type DayFigures,
  type KnownPost,
  type Login,
  PlatformRefusedError,
  type Profile,
  type ReceivedComment,
  type SocialProvider,
  sumOf,
} from '../provider.ts'

/** The day on which the growth of simulated accounts starts. */
const FIRST_DAY = Date.parse('2020-01-01')
/** The number of days after publication on which people see a simulated post. */
const POST_DAYS = 30
/** Factors for the figures of posts that are published at popular hours (UTC). */
const GOOD_HOURS: Readonly<Record<number, number>> = { 7: 1.3, 8: 1.4, 12: 1.3, 17: 1.5, 18: 1.7, 19: 1.6, 20: 1.4 }

interface Range {
  from: string
  to: string
}

const AUTHORS = [
  { authorName: 'Mara Lind', authorUsername: 'maralind' },
  { authorName: 'Jonas Weber', authorUsername: 'jonas.w' },
  { authorName: 'Priya Nair', authorUsername: 'priya_nair' },
  { authorName: 'Sofia Rossi', authorUsername: 'sofia.rossi' },
  { authorName: 'Tom Berg', authorUsername: null },
] as const

const WORDS = [
  'Love this!',
  'When is the next date?',
  'Bought one last week and use it every day.',
  'Can I download it in Norway?',
  'Great idea, thank you for sharing.',
  'The colour is even nicer in real life.',
] as const

const MOST_COMMENTS = 4

/** Access tokens that determine the behaviour, like test cards for payments. Any other token works. */
const TOKENS = [
  { token: 'works', description: 'Everything works' },
  { token: 'invalid', description: 'Access is refused' },
  { token: 'expires', description: 'Access expires right after connecting' },
  { token: 'refuses', description: 'Every post and every action on a comment is refused' },
  { token: 'flaky', description: 'Each post is refused once and works when it is tried again' },
] as const

/**
 * Simulates all platforms: sends nothing and stores nothing. All results depend only on the names of accounts and posts and on
 * the time, so that they are the same in every replica and after a restart.
 */
export const simulatedProvider: SocialProvider = {
  // This name is stored with accounts and shown to people.
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
      login.username ?? (login.credentials.username || `${login.platform}_${hashOf(login.id).slice(0, 8)}`)
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

function profileOf({ id, username, publicUrl }: Login & { username: string }, followers: number): Profile {
  return {
    username,
    displayName: `${username} (sandbox)`,
    profileUrl: `${publicUrl}/social/sandbox/accounts/${id}`,
    avatarUrl: null,
    followersCount: followers,
  }
}

/** Returns the comments on a post so far: the first one arrives at once, the others within hours. */
function commentsOn({ id, publishedAt }: KnownPost, now: string): ReceivedComment[] {
  const elapsedMs = Date.parse(now) - Date.parse(publishedAt)
  return Array.from({ length: count(`${id} comments`, 1, MOST_COMMENTS) }, (_, index) => index)
    .filter((index) => index * index * HOUR_MS <= elapsedMs)
    .map((index) => commentOf(id, index))
}

/** Returns a comment; the last of four is a reply to the first. */
function commentOf(post: string, index: number): ReceivedComment {
  const id = `${post}_comment_${index + 1}`
  return {
    id,
    post,
    parent: index === MOST_COMMENTS - 1 ? `${post}_comment_1` : null,
    ...AUTHORS[count(`${id} author`, 0, AUTHORS.length - 1)]!,
    content: WORDS[count(`${id} words`, 0, WORDS.length - 1)]!,
    likesCount: count(`${id} likes`, 0, 9),
  }
}

/** Returns the followers at the end of a day, which never decrease. */
function followersOn({ platform, username }: Pick<Login, 'platform' | 'username'>, date: string): number {
  const name = `${platform} ${username} followers`
  const days = Math.max(0, (Date.parse(date) - FIRST_DAY) / DAY_MS)
  return count(name, 150, 900) + Math.floor(days * chance(`${name} a day`, 0.2, 2))
}

interface PostDay extends DayFigures {
  figures: Counts
}

/** Returns the daily figures of an account: those of its posts, and some visits in addition. */
function accountDays(login: Login, posts: PostDay[], range: Range): DayFigures[] {
  const byDate = Map.groupBy(posts, ({ date }) => date)
  return daysOf(range).map((date) => {
    const followers = followersOn(login, date)
    const gained = followers - followersOn(login, dayOf(Date.parse(date) - DAY_MS))
    const seed = `${login.platform} ${login.username} ${date}`
    const visits = withReactions(seed, Math.round(followers * chance(`${seed} visits`, 0.02, 0.08)), 0.02)
    const all = [visits, ...(byDate.get(date) ?? []).map(({ figures }) => figures)]
    return { date, post: null, figures: { ...sumOf(all), followers, followers_gained: gained } }
  })
}

/** Returns the daily figures of a post, which fall by about half each day, for the days of the range on which people still see it. */
function postDays(login: Login, { id, publishedAt }: KnownPost, range: Range): PostDay[] {
  const published = publishedAt.slice(0, 10)
  const hour = Number(publishedAt.slice(11, 13))
  const liked = (GOOD_HOURS[hour] ?? 1) * chance(`${id} liked`, 0.02, 0.07)
  const first = followersOn(login, published) * chance(`${id} reach`, 0.2, 0.6)
  return daysOf(range).flatMap((date) => {
    const age = (Date.parse(date) - Date.parse(published)) / DAY_MS
    if (age < 0 || age >= POST_DAYS) return []
    const figures = withReactions(`${id} ${date}`, Math.round(first * 0.55 ** age), liked)
    return [{ date, post: id, figures }]
  })
}

/** Returns the reactions of `reach` people, of whom the fraction `liked` likes the post. */
function withReactions(seed: string, reach: number, liked: number): Counts {
  const impressions = Math.round(reach * chance(`${seed} again`, 1.1, 1.5))
  const share = (part: number) => Math.round(impressions * liked * part)
  return {
    ...{ impressions, reach, likes: share(1), comments: share(0.12), shares: share(0.1) },
    ...{ clicks: share(0.3), saves: share(0.15) },
  }
}

function daysOf({ from, to }: Range): string[] {
  const days: string[] = []
  for (let at = Date.parse(from); at <= Date.parse(to); at += DAY_MS) days.push(dayOf(at))
  return days
}

function dayOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10)
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Returns a pseudo-random number from `least` to `most`, always the same for the same text. */
function chance(text: string, least: number, most: number): number {
  const share = Number.parseInt(hashOf(text).slice(0, 8), 16) / 0xffffffff
  return least + share * (most - least)
}

function count(text: string, least: number, most: number): number {
  return Math.min(most, Math.floor(chance(text, least, most + 1)))
}
