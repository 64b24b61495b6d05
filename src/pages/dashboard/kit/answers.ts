import { parse, serialize } from 'hono/utils/cookie'
import { cut } from '../../../contract/values/values.ts'
import { ALWAYS } from '../../parts/asset.ts'
import type { Page } from '../../parts/markup.ts'
import { importMapHash } from './scripts.ts'
import type { Visit } from './visit.ts'

/** What a page says of what was done just now, by the word in its address, where nothing better is known. */
const NOTICES = new Map([
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

const NOTICE_COOKIE = 'notice'
/** Long enough for the page that follows, and for a second look at it. */
const HOLDS_SECONDS = 60
const MAX_SENTENCE = 600
/** The word in the address after something that was not done. */
const FAILED = 'failed'

const OF_PAGES = {
  ...ALWAYS,
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=()',
  'Cache-Control': 'no-store',
  'X-Robots-Tag': 'noindex, nofollow',
}

/** The style element that Turbo makes for its progress bar, as it is in the version that is installed. */
const TURBO_STYLE_HASH = 'sha256-WAyOw4V+FqDc35lQPyRADLBWbuNK8ahvYEaQIYF1+Ps='

/** Scripts and styles are files of ours; the one script in the page is the import map, which its hash names. */
function contentPolicy({ nonce, sendsTo }: Pick<AnswerOptions, 'nonce' | 'sendsTo'>): string {
  const styles = nonce === undefined ? '' : ` 'nonce-${nonce}'`
  return [
    "default-src 'none'",
    `script-src 'self' '${importMapHash()}'`,
    `style-src 'self' '${TURBO_STYLE_HASH}'${styles}`,
    "img-src 'self' https: data:",
    "media-src 'self' https:",
    // Previews, and contents of e-mails, whose own policy lets nothing run.
    "frame-src 'self'",
    `connect-src 'self'${sendsTo ? ` ${sendsTo}` : ''}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

export interface AnswerOptions {
  status?: number | undefined
  /** Lets style elements with this nonce in, for an editor that makes them itself. */
  nonce?: string | undefined
  /** An address of another service below which its scripts may send requests. */
  sendsTo?: string | null
  headers?: Record<string, string>
}

export async function dashboardAnswer(page: Page, { status = 200, headers, ...policy }: AnswerOptions = {}) {
  const type = { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': contentPolicy(policy) }
  return new Response(String(await page), { status, headers: { ...OF_PAGES, ...type, ...headers } })
}

/** After a form: the browser asks for the address with GET, so that reloading repeats nothing. */
export function goTo(address: string): Response {
  return new Response(null, { status: 303, headers: { ...OF_PAGES, Location: address } })
}

/** A file to keep, such as a list as CSV. */
export function downloadAnswer(body: BodyInit, name: string, type: string): Response {
  const headers = { 'Content-Type': type, 'Content-Disposition': `attachment; filename="${name}"` }
  return new Response(body, {
    headers: { ...OF_PAGES, ...headers, 'Content-Security-Policy': "default-src 'none'; sandbox" },
  })
}

/**
 * After a form: leads to a page that says what was done. The sentence travels in a cookie for that page alone, so that nobody
 * can make a link to a page that says something else.
 */
export function goDone(visit: Visit, address: string, word: string, sentence: string | null = null): Response {
  if (/[?&]done=/.test(address)) return goTo(address)
  const answer = goTo(`${address}${address.includes('?') ? '&' : '?'}done=${word}`)
  const path = new URL(address, visit.parts.publicUrl).pathname
  const said = sentence === null ? '' : `${word} ${cut(sentence, MAX_SENTENCE)}`
  const cookie = serialize(NOTICE_COOKIE, said, {
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
  const said = parse(incoming.header('cookie') ?? '', NOTICE_COOKIE)[NOTICE_COOKIE]
  const words = said?.startsWith(`${word} `) ? said.slice(word.length + 1) : NOTICES.get(word)
  return words === undefined ? null : { kind: word === FAILED ? 'bad' : 'good', words }
}
