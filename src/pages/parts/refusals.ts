import { ApiError } from '../../contract/errors.ts'
import { ConflictError, StorageError } from '../../database/database.ts'
import { pageAnswer } from './answers.ts'
import { closedPage } from './closed.ts'
import type { Frame } from './document.ts'

/** What a page says when it does not do what a form asks. */
export interface Refusals {
  /** The form did not come from our own page. */
  foreignForm(ownUrl: string): Promise<Response>
  tooManyPosts(seconds: number): Promise<Response>
  /** A failure, ours or one of the request. */
  failure(error: unknown, requestId: string, ownUrl: string): Promise<Response>
}

const NO_SHOP: Frame = { shop: null, test: false }

/** The address leads to nothing: mistyped, shortened, or of something that is gone. */
export function unknownAnswer(homeUrl: string): Promise<Response> {
  return refused(404, {
    title: 'There is nothing at this address',
    words:
      'The address may have lost its end, as long ones do in some e-mail programs. Open the link again from where you found it, or ask the shop for a new one.',
    way: { url: homeUrl, words: 'Go to the start page' },
  })
}

/** There is no such page of the service at all. */
export function noPageAnswer(publicUrl: string): Promise<Response> {
  return refused(404, {
    title: 'There is nothing at this address',
    words: 'Check the address, or begin at the start page: it leads to the documentation and to the dashboard.',
    way: { url: `${publicUrl}/`, words: 'Go to the start page' },
  })
}

export function guessedAnswer(waitMs: number): Promise<Response> {
  const seconds = Math.ceil(waitMs / 1000)
  return slowDown('Too many wrong addresses were tried from your network.', seconds)
}

function tooManyPosts(seconds: number): Promise<Response> {
  return slowDown('This was tried too often in a short time. Nothing was charged by the last try.', seconds)
}

/** It comes too often. */
export function slowDown(words: string, seconds: number): Promise<Response> {
  const again = `${words} Go back and try again in ${seconds === 1 ? 'a second' : `${seconds} seconds`}.`
  return refused(429, { title: 'Please wait a moment', words: again }, { 'Retry-After': String(seconds) })
}

/** The form did not come from our own page. */
function foreignForm(ownUrl: string): Promise<Response> {
  return refused(403, {
    title: 'This form was sent from another site',
    words: 'For your safety it was not taken, and nothing was charged. Open the checkout itself and try again.',
    way: { url: ownUrl, words: 'Open the checkout' },
  })
}

/** A failure of ours, told in words that say what happened to the money. */
function failure(error: unknown, requestId: string, ownUrl: string): Promise<Response> {
  const way = { url: ownUrl, words: 'Look at the checkout' }
  if (error instanceof ApiError && [413, 415, 400, 503].includes(error.status))
    return refused(
      error.status,
      { title: 'This could not be read', words: `${error.message} Nothing was charged.`, way },
      error.headers,
    )
  if (error instanceof ConflictError || error instanceof StorageError)
    return refused(
      503,
      { title: 'The shop is very busy', words: 'Nothing was charged. Please try again in a moment.', way },
      { 'Retry-After': '5' },
    )
  return refused(500, {
    title: 'Something went wrong on our side',
    words: `Look at the checkout before you try again: it says whether you have paid. If it happens again, tell the shop the number ${requestId}.`,
    way,
  })
}

export const CHECKOUT_REFUSALS: Refusals = { foreignForm, tooManyPosts, failure }

interface Words {
  title: string
  words: string
  way?: { url: string; words: string }
}

/** A page that says why not, with a way on. */
export function refused(
  status: number,
  { title, words, way }: Words,
  headers: Record<string, string> = {},
): Promise<Response> {
  return pageAnswer(closedPage({ frame: NO_SHOP, title, words, way: way ?? null }), { status, headers })
}

/** Pages are looked at and posted to, and nothing else. `Allow` is the header of those that are less. */
export async function methodAnswer(method: string, Allow = 'GET, HEAD, POST, OPTIONS'): Promise<Response> {
  if (method === 'OPTIONS') return new Response(null, { status: 204, headers: { Allow } })
  return refused(405, { title: 'This cannot be done here', words: `${method} is not allowed on this page.` }, { Allow })
}
