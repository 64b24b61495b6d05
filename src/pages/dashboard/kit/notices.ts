import { parse, serialize } from 'hono/utils/cookie'
import { cut } from '../../../contract/values/values.ts'
import { goTo } from './answers.ts'
import type { Visit } from './visit.ts'

/** What a page says of what was done just now, by the word in its address, where nothing better is known. */
const WORDS = new Map([
  ['created', 'Created.'],
  ['passkey', 'Passkey added. You can now sign in with it.'],
  ['saved', 'Saved.'],
  ['address', 'We e-mailed you a link. Open it to confirm the address.'],
  ['refunded', 'The refund was made.'],
  ['deleted', 'Deleted.'],
  ['done', 'Done.'],
  ['sent', 'Sent.'],
  ['applied', 'Applied.'],
  ['rejected', 'Rejected.'],
  ['planned', 'This plan was made again, with what it would change now.'],
  ['resent', 'It is being sent again.'],
  ['asked', 'The clock is being moved.'],
])

const COOKIE = 'notice'
/** Long enough for the page that follows, and for a second look at it. */
const HOLDS_SECONDS = 60
const MAX_SENTENCE = 600
/** The word in the address after something that was not done. */
const FAILED = 'failed'

/**
 * After a form: leads to a page that says what was done. The sentence travels in a cookie for that page alone, so that nobody
 * can make a link to a page that says something else.
 */
export function goDone(visit: Visit, address: string, word: string, sentence: string | null = null): Response {
  if (/[?&]done=/.test(address)) return goTo(address)
  const answer = goTo(`${address}${address.includes('?') ? '&' : '?'}done=${word}`)
  const path = new URL(address, visit.parts.publicUrl).pathname
  const said = sentence === null ? '' : `${word} ${cut(sentence, MAX_SENTENCE)}`
  const cookie = serialize(COOKIE, said, {
    path,
    maxAge: said === '' ? 0 : HOLDS_SECONDS,
    httpOnly: true,
    sameSite: 'Lax',
    secure: visit.parts.publicUrl.startsWith('https:'),
  })
  answer.headers.append('Set-Cookie', cookie)
  return answer
}

/** After a form that was refused: leads back to a page of ours, which says why. */
export function goFailed(visit: Visit, address: string, sentence: string): Response {
  const { pathname, searchParams, hash } = new URL(address, visit.parts.publicUrl)
  // However often and however it is written: the page would say that something else was done.
  searchParams.delete('done')
  const query = searchParams.size > 0 ? `?${searchParams}` : ''
  return goDone(visit, pathname + query + hash, FAILED, sentence)
}

/** The page that a form was sent from, where the browser says so and it is one of this account. */
export function sentFrom({ incoming, base, parts }: Visit): string | null {
  const referrer = incoming.header('referer') ?? ''
  if (!URL.canParse(referrer)) return null
  const { origin, pathname, search } = new URL(referrer)
  const isOwn = origin === new URL(parts.publicUrl).origin && (pathname === base || pathname.startsWith(`${base}/`))
  // No page of ours has a semicolon in its path, and none can be in the path of a cookie.
  return isOwn && !pathname.includes(';') ? pathname + search : null
}

/** The notice of a page about the form that was sent before it. */
export function noticeOf({ query, incoming }: Visit): { kind: 'good' | 'bad'; words: string } | null {
  const word = query.get('done')
  if (word === null) return null
  const said = parse(incoming.header('cookie') ?? '', COOKIE)[COOKIE]
  const words = said?.startsWith(`${word} `) ? said.slice(word.length + 1) : WORDS.get(word)
  return words === undefined ? null : { kind: word === FAILED ? 'bad' : 'good', words }
}
