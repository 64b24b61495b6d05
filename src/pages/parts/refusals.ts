import { ApiError } from '../../contract/declarations/errors.ts'
import { databaseRefusal } from '../../pipeline/database-refusal.ts'
import { waitInWords } from '../../words/durations.ts'
import { closedPage } from './closed.ts'
import type { Frame } from './document.ts'
import { pageAnswer } from './parts.ts'

/** What a page says when it does not do what a form asks. */
export interface Refusals {
  /** The form did not come from our own page. */
  foreignForm(ownUrl: string): Promise<Response>
  tooManyPosts(seconds: number): Promise<Response>
  failure(error: unknown, requestId: string, ownUrl: string): Promise<Response>
}

const NO_SHOP: Frame = { shop: null, test: false }

/** The address leads to nothing: mistyped, shortened, or of something that is gone. */
export function unknownAnswer(homeUrl: string): Promise<Response> {
  return refused(404, {
    title: 'Page not found',
    words:
      'The link may be incomplete: some e-mail programs cut off long links. Open it again from where you found it, or ask the shop for a new one.',
    way: { url: homeUrl, words: 'Go to the start page' },
  })
}

/** There is no such page of the service at all. */
export function noPageAnswer(publicUrl: string): Promise<Response> {
  return refused(404, {
    title: 'Page not found',
    words: 'Check the address, or go to the start page for the documentation and the dashboard.',
    way: { url: `${publicUrl}/`, words: 'Go to the start page' },
  })
}

/** A failure on a page that has no words of its own for it. */
export function failureAnswer(error: unknown, requestId: string): Promise<Response> {
  const refusal = databaseRefusal(error)
  if (refusal) return unavailableAnswer(refusal)
  return refused(500, {
    title: 'Something went wrong on our side',
    words: `Please try again. If this happens again, give the operator of this service this number: ${requestId}.`,
  })
}

/** The database does not answer, or others keep it busy. */
export function unavailableAnswer({ status, headers }: ApiError): Promise<Response> {
  const words = 'Nothing was changed. Please try again in a moment.'
  return refused(status, { title: 'The service is temporarily unavailable', words }, headers)
}

export function guessedAnswer(waitMs: number): Promise<Response> {
  const seconds = Math.ceil(waitMs / 1000)
  return slowDown('Too many invalid addresses were requested from your network.', seconds)
}

export function slowDown(words: string, seconds: number): Promise<Response> {
  const again = `${words} Go back and try again in ${waitInWords(seconds)}.`
  return refused(429, { title: 'Please wait a moment', words: again }, { 'Retry-After': String(seconds) })
}

/** The words of pages of one kind, for what all of them refuse. */
interface RefusalWords {
  /** Of a form from another site: that it was not taken, and what to do. */
  foreign: string
  tooMany: string
  /** The way to the page itself, in the refusal of such a form and after a failure. */
  open: string
  openAgain: string
  /** What was not done, as a sentence. */
  undone: string
  /** The title while others keep the service busy. */
  busy: string
  /** Of a failure of ours, whose number is `requestId`. */
  broken(requestId: string): string
}

/** The refusals of pages of one kind. */
export function refusalsIn(words: RefusalWords): Refusals {
  return {
    foreignForm: (url) =>
      refused(403, {
        title: 'This form was sent from another site',
        words: `For your safety ${words.foreign}`,
        way: { url, words: words.open },
      }),
    tooManyPosts: (seconds) => slowDown(words.tooMany, seconds),
    failure: (error, requestId, url) => failure(words, error, requestId, { url, words: words.openAgain }),
  }
}

function failure(
  { undone, busy, broken }: RefusalWords,
  error: unknown,
  requestId: string,
  way: { url: string; words: string },
): Promise<Response> {
  if (error instanceof ApiError && [413, 415, 400, 503].includes(error.status)) {
    const words = `${error.message} ${undone}`
    const title = error.status === 503 ? busy : 'The form could not be read'
    return refused(error.status, { title, words, way }, error.headers)
  }
  const busyFor = databaseRefusal(error)
  if (busyFor) {
    const words = `${undone} Please try again in a moment.`
    return refused(busyFor.status, { title: busy, words, way }, busyFor.headers)
  }
  return refused(500, { title: 'Something went wrong on our side', words: broken(requestId), way })
}

/** A page that says why not, with a way on. */
export function refused(
  status: number,
  { title, words, way }: { title: string; words: string; way?: { url: string; words: string } },
  headers: Record<string, string> = {},
): Promise<Response> {
  return pageAnswer(closedPage({ frame: NO_SHOP, title, words, way: way ?? null }), { status, headers })
}

/** Pages are looked at and posted to, and nothing else. `Allow` is the header of those that are less. */
export async function methodAnswer(method: string, Allow = 'GET, HEAD, POST, OPTIONS'): Promise<Response> {
  if (method === 'OPTIONS') return new Response(null, { status: 204, headers: { Allow } })
  return refused(405, { title: 'Not allowed on this page', words: `${method} is not allowed on this page.` }, { Allow })
}
