import type { KnownPost } from './provider.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** The number of days after publication for which a post is in the rotation; the newest posts are read at any age. */
const READ_FOR_DAYS = 90

/**
 * Returns the posts to read in a sync, at most `most`, the newest first. Half of them are the newest; the other half rotates
 * among older ones of the last 90 days, so each of these is read less often as posts accumulate.
 */
export function postsInTurn(posts: readonly KnownPost[], now: string, most: number): KnownPost[] {
  const sorted = newestFirst(posts)
  const newest = sorted.slice(0, Math.ceil(most / 2))
  const oldest = new Date(Date.parse(now) - READ_FOR_DAYS * DAY_MS).toISOString()
  const older = sorted.slice(newest.length).filter(({ publishedAt }) => publishedAt >= oldest)
  const room = most - newest.length
  if (older.length <= room) return [...newest, ...older]
  const start = (Math.floor(Date.parse(now) / DAY_MS) * room) % older.length
  return [...newest, ...[...older, ...older].slice(start, start + room)]
}

export function newestFirst(posts: readonly KnownPost[]): KnownPost[] {
  return posts.toSorted((one, other) => other.publishedAt.localeCompare(one.publishedAt))
}
