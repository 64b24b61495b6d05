import { setTimeout as delay } from 'node:timers/promises'
import { replacing } from '../../../errors.ts'
import { bytesInWords } from '../../../format/sizes.ts'
import { lazy } from '../../../lazy.ts'
import { AddressRefusedError, type WebAnswer, type WebClient, type WebRequest } from '../../../providers/web/client.ts'
import { PlatformBusyError, PlatformRefusedError, type PostedFile } from './provider.ts'

/** The time limit of one attempt, shorter than that of its job. Unfinished work continues in the next attempt, without a failure. */
const TURN_MS = 150_000
const FIRST_LOOK_MS = 200
const LONGEST_LOOK_MS = 15_000
const NEXT_TURN_MS = 60_000
const SEND_ON_MS = 1_000

/** The platform is still processing, or there is more to send. The same request is repeated later. */
export class PlatformWorkingError extends PlatformBusyError {}

/** The time limit of one attempt for sending parts and polling. */
export class Turn {
  readonly signal: AbortSignal
  readonly #endsAt: number

  constructor(signal: AbortSignal, turnMs = TURN_MS) {
    this.signal = signal
    this.#endsAt = performance.now() + turnMs
  }

  /** Throws a PlatformWorkingError if the time is over. Call it before sending more, once the parts already sent are recorded. */
  requireTime(): void {
    if (this.#isOver) throw new PlatformWorkingError('There is more of the post to send.', Date.now() + SEND_ON_MS)
  }

  /** Polls with growing delays until there is a result. Rejects with a PlatformWorkingError when the time is over. */
  async until<Found>(look: () => Promise<Found | null>): Promise<Found> {
    for (let looks = 0; ; looks++) {
      const found = await look()
      if (found !== null) return found
      if (this.#isOver)
        throw new PlatformWorkingError('The platform is not done with the post.', Date.now() + NEXT_TURN_MS)
      await delay(Math.min(FIRST_LOOK_MS * 1.5 ** looks, LONGEST_LOOK_MS), undefined, { signal: this.signal })
    }
  }

  get #isOver(): boolean {
    return performance.now() > this.#endsAt
  }
}

const PROCESSING = { firstMs: 400, longestMs: 5_000, looks: 42 }

/**
 * Polls with growing delays until a network has processed a file. After three minutes, rejects with the sentence `unfinished`, and the
 * job continues later.
 */
export async function processed<Found>(
  look: () => Promise<Found | null>,
  { signal, unfinished }: { signal: AbortSignal; unfinished: string },
): Promise<Found> {
  for (let looks = 0; looks < PROCESSING.looks; looks++) {
    const found = await look()
    if (found !== null) return found
    await delay(Math.min(PROCESSING.firstMs * 1.5 ** looks, PROCESSING.longestMs), undefined, { signal })
  }
  throw new Error(unfinished)
}

export function isVideo({ contentType }: Pick<PostedFile, 'contentType'>): boolean {
  return contentType.startsWith('video/')
}

const TIMEOUT_MS = 60_000

interface Part {
  /** The offset of the first byte, from 0. */
  start: number
  length: number
}

export interface ReadOptions {
  web: WebClient
  signal: AbortSignal
}

/** Reads a file of a post. Throws a PlatformRefusedError if it has more than `mostBytes`; `what` names it in the message. */
export async function wholeFile(
  url: string,
  { what, mostBytes, web, signal }: ReadOptions & { what: string; mostBytes: number },
): Promise<Uint8Array<ArrayBuffer>> {
  const asked = { method: 'GET', timeoutMs: TIMEOUT_MS, maxBytes: mostBytes + 1, signal }
  const { status, body } = await web.fetch(url, asked)
  if (status !== 200) throw new Error(`A file of the post was answered with ${status}`)
  if (body.byteLength > mostBytes) throw new PlatformRefusedError(`${what} is larger than ${bytesInWords(mostBytes)}`)
  return new Uint8Array(body)
}

/** Reads a part of a post's file, so that a long film is never held in memory as a whole. Rejects if the part is incomplete. */
export async function partOf(
  { url }: Pick<PostedFile, 'url'>,
  { start, length }: Part,
  { web, signal }: ReadOptions,
): Promise<Uint8Array> {
  const headers = { range: `bytes=${start}-${start + length - 1}`, 'accept-encoding': 'identity' }
  const asked = { method: 'GET', headers, timeoutMs: TIMEOUT_MS, maxBytes: length + 1, signal }
  const { status, body } = await web.fetch(url, asked)
  if (status !== 206) throw new Error(`A part of a file of the post was answered with ${status}`)
  if (body.byteLength !== length)
    throw new Error(`A part of a file of the post has ${body.byteLength} bytes instead of ${length}`)
  return body
}

/** Yields a file in parts. Reads each part only after the previous one was consumed. */
export async function* partsOf(
  file: Pick<PostedFile, 'url' | 'size'>,
  { partBytes, ...options }: ReadOptions & { partBytes: number },
): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < file.size; start += partBytes)
    yield await partOf(file, { start, length: Math.min(partBytes, file.size - start) }, options)
}

/** Sends bytes to a URL that a network returned. Rejects with a PlatformRefusedError if it is not a public address. */
export function sendBytes(web: WebClient, url: string, request: WebRequest): Promise<WebAnswer> {
  const refused = ({ message }: AddressRefusedError) =>
    new PlatformRefusedError(`The address for the upload ${message}.`)
  return web.fetch(url, request).catch(replacing(AddressRefusedError, refused))
}

const segmenter = lazy(() => new Intl.Segmenter('en', { granularity: 'grapheme' }))

/** Returns the first non-empty line of a text, cut to `most` UTF-16 code units without splitting a visible character. */
export function titleOf(text: string, most: number): string {
  const line = text
    .split('\n')
    .map((one) => one.trim())
    .find((one) => one !== '')
  if (line === undefined || line.length <= most) return line ?? ''
  let title = ''
  for (const { segment } of segmenter().segment(line)) {
    if (title.length + segment.length + 1 > most) break
    title += segment
  }
  return `${title.trimEnd()}…`
}
