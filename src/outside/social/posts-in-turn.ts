import type { KnownPost } from './provider.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** For so long after its publication a post has its turn; the newest are read however old they are. */
const READ_FOR_DAYS = 90

/**
 * The posts that a reading asks about, at most so many, the newest first: half of them are the newest ones, and the other half goes
 * around among the older ones of the last 90 days, so that each of these is read less and less often.
 */
export function postsInTurn(posts: readonly KnownPost[], now: string, most: number): KnownPost[] {
  const sorted = posts.toSorted((one, other) => other.publishedAt.localeCompare(one.publishedAt))
  const newest = sorted.slice(0, Math.ceil(most / 2))
  const oldest = new Date(Date.parse(now) - READ_FOR_DAYS * DAY_MS).toISOString()
  const older = sorted.slice(newest.length).filter(({ publishedAt }) => publishedAt >= oldest)
  const room = most - newest.length
  if (older.length <= room) return [...newest, ...older]
  const start = (Math.floor(Date.parse(now) / DAY_MS) * room) % older.length
  return [...newest, ...[...older, ...older].slice(start, start + room)]
}
