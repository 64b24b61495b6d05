import type { KnownPost, ReceivedComment } from '../provider.ts'
import { count } from './chance.ts'

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
const HOUR_MS = 60 * 60 * 1000

/** What people have written under a post by now: the first comment comes at once, the others within hours. */
export function commentsOn({ id, publishedAt }: KnownPost, now: string): ReceivedComment[] {
  const elapsedMs = Date.parse(now) - Date.parse(publishedAt)
  return Array.from({ length: count(`${id} comments`, 1, MOST_COMMENTS) }, (_, index) => index)
    .filter((index) => index * index * HOUR_MS <= elapsedMs)
    .map((index) => commentOf(id, index))
}

/** The last one of four answers the first. */
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
