import { AddressRefusedError, type WebAnswer, type WebClient, type WebRequest } from '../../../providers/web/client.ts'
import { PlatformRefusedError, type PostedFile } from './provider.ts'

const TIMEOUT_MS = 60_000

export interface Part {
  /** The offset of the first byte, from 0. */
  start: number
  length: number
}

interface Options {
  web: WebClient
  signal: AbortSignal
}

/** Reads a part of a post's file, so that a long film is never held in memory as a whole. Rejects if the part is incomplete. */
export async function partOf(
  { url }: Pick<PostedFile, 'url'>,
  { start, length }: Part,
  { web, signal }: Options,
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
  { partBytes, ...options }: Options & { partBytes: number },
): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < file.size; start += partBytes)
    yield await partOf(file, { start, length: Math.min(partBytes, file.size - start) }, options)
}

/** Sends bytes to a URL that a network returned. Rejects with a PlatformRefusedError if it is not a public address. */
export async function sendBytes(web: WebClient, url: string, request: WebRequest): Promise<WebAnswer> {
  try {
    return await web.fetch(url, request)
  } catch (error) {
    throw error instanceof AddressRefusedError
      ? new PlatformRefusedError(`The address for the upload ${error.message}.`)
      : error
  }
}
