import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { AwsV4Signer } from 'aws4fetch'
import type { Dispatcher } from 'undici'
import { makeDirectory } from '../../../runtime/make-directory.ts'
import { inspect } from '../inspector.ts'
import {
  type ByteRange,
  type Contents,
  type FileStore,
  FileTooLargeError,
  KeyTakenError,
  type UploadAddress,
  type UploadTerms,
  type WriteOptions,
} from '../provider.ts'
import { streamOf, writeAll } from '../stream.ts'

interface SigningKeys {
  accessKeyId: string
  secretAccessKey: string
  region: string
}

interface UnsignedRequest {
  method: string
  url: URL
  /** Headers in addition to `host`. All are signed, including the body's length. */
  headers?: Record<string, string>
}

/** Signing keys, which stay the same for a day. */
const cache = new Map<string, ArrayBuffer>()

const require = createRequire(import.meta.url)

export interface S3Settings {
  S3_ENDPOINT?: string | undefined
  S3_BUCKET?: string | undefined
  S3_REGION: string
  S3_ACCESS_KEY_ID?: string | undefined
  S3_SECRET_ACCESS_KEY?: string | undefined
}

/**
 * Opens the configured store; null if there is none. `spool` is a directory for files before their upload, because S3 requires
 * their length in advance.
 */
export function openS3(settings: S3Settings, spool: string): FileStore | null {
  const { S3_ENDPOINT: endpoint, S3_BUCKET: bucket, S3_REGION: region } = settings
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = settings
  if (!endpoint || !bucket || !accessKeyId || !secretAccessKey) return null
  return new S3Files({ endpoint, bucket, region, accessKeyId, secretAccessKey, spool })
}

interface S3Options extends SigningKeys {
  /** The URL of the store without the bucket and without a trailing slash. */
  endpoint: string
  bucket: string
  spool: string
}

interface SendOptions {
  headers?: Record<string, string>
  body?: AsyncIterable<Uint8Array> | undefined
  signal?: AbortSignal | undefined
  query?: Record<string, string>
}

/** The time limit of the service's own requests, and the validity of their signatures. */
const OWN_SECONDS = 3600
/** A request fails if the store sends nothing for this long. */
const SILENT_MS = 30_000
const MOST_LISTED = 1000

class S3Files implements FileStore {
  readonly name = 's3'
  readonly uploadsBelow: string
  readonly #settings: S3Options
  /** The library is loaded only if a store is configured. */
  readonly #library = require('undici') as typeof import('undici')
  readonly #agent = new this.#library.Agent({ headersTimeout: SILENT_MS, bodyTimeout: SILENT_MS })

  constructor(settings: S3Options) {
    this.#settings = settings
    this.uploadsBelow = this.#urlOf('').href
  }

  /** Signs two headers: `If-None-Match` prevents a second upload, and `Content-Length` prevents an upload of another size. */
  async uploadAddress(key: string, { now, seconds, size }: UploadTerms): Promise<UploadAddress> {
    const headers = { 'If-None-Match': '*' }
    const signed = { 'if-none-match': '*', ...(size !== null && { 'content-length': String(size) }) }
    const request = { method: 'PUT', url: this.#urlOf(key), headers: signed }
    return { url: await presignedUrl(request, this.#settings, { now, seconds }), headers }
  }

  async write(key: string, chunks: AsyncIterable<Uint8Array>, { maxBytes, signal }: WriteOptions): Promise<number> {
    const { spool } = this.#settings
    const part = join(spool, randomUUID())
    await makeDirectory(spool)
    try {
      const size = await writeAll(part, chunks, { maxBytes, signal })
      const headers = { 'if-none-match': '*', 'content-length': String(size) }
      const answer = await this.#send('PUT', key, { headers, body: createReadStream(part), signal })
      if (answer.statusCode === 412) throw new KeyTakenError('The file already has bytes.')
      await finished(answer)
      return size
    } finally {
      await rm(part, { force: true })
    }
  }

  async inspect(key: string, { maxBytes, signal }: WriteOptions): Promise<Contents | null> {
    const answer = await this.#send('GET', key, { signal })
    if (await isMissing(answer)) return null
    if (Number(answer.headers['content-length']) > maxBytes) {
      answer.body.destroy()
      throw new FileTooLargeError(maxBytes)
    }
    return inspect(answer.body, maxBytes)
  }

  async read(key: string, range?: ByteRange): Promise<ReadableStream<Uint8Array> | null> {
    const answer = await this.#send('GET', key, range && { headers: { range: `bytes=${range.start}-${range.end}` } })
    if (await isMissing(answer)) return null
    // Without this check, a store that ignores ranges would return the wrong bytes.
    if (range && answer.statusCode !== 206) {
      answer.body.destroy()
      throw new Error('The file store does not serve parts of files.')
    }
    return streamOf(answer.body)
  }

  async remove(key: string): Promise<void> {
    const answer = await this.#send('DELETE', key)
    if (!(await isMissing(answer))) await finished(answer)
  }

  async removeAccount(accountId: string): Promise<void> {
    let last: string | undefined
    for (let keys = await this.#listed(accountId); keys.length > 0; keys = await this.#listed(accountId)) {
      if (keys[0] === last) throw new Error('The file store keeps files that were removed.')
      for (const key of keys) await this.remove(key)
      last = keys[0]
    }
  }

  /** Does nothing, because S3 discards interrupted uploads and the local store's sweep clears the spool directory. */
  async sweep(): Promise<void> {}

  close(): Promise<void> {
    return this.#agent.destroy()
  }

  /** Lists the first keys of an account. Keys contain no characters that XML escapes. */
  async #listed(accountId: string): Promise<string[]> {
    const query = { 'list-type': '2', 'max-keys': String(MOST_LISTED), prefix: `${accountId}/` }
    const answer = await this.#send('GET', '', { query })
    requireSuccess(answer)
    return [...(await answer.body.text()).matchAll(/<Key>([a-z0-9_/]+)<\/Key>/g)].map(([, key]) => key!)
  }

  async #send(
    method: 'GET' | 'PUT' | 'DELETE',
    key: string,
    asked: SendOptions = {},
  ): Promise<Dispatcher.ResponseData> {
    const { headers = {}, body, signal, query = {} } = asked
    const url = this.#urlOf(key, query)
    const validity = { now: new Date(), seconds: OWN_SECONDS }
    const signed = await presignedUrl({ method, url, headers }, this.#settings, validity)
    return this.#library.request(signed, {
      dispatcher: this.#agent,
      method,
      headers,
      ...(body && { body: body as Dispatcher.DispatchOptions['body'] }),
      ...(signal && { signal }),
    })
  }

  #urlOf(key: string, query: Record<string, string> = {}): URL {
    const { endpoint, bucket } = this.#settings
    const url = new URL(`${endpoint}/${bucket}/${key}`)
    url.search = new URLSearchParams(query).toString()
    return url
  }
}

async function isMissing(answer: Dispatcher.ResponseData): Promise<boolean> {
  if (answer.statusCode === 404) {
    await answer.body.dump()
    return true
  }
  requireSuccess(answer)
  return false
}

async function finished(answer: Dispatcher.ResponseData): Promise<void> {
  requireSuccess(answer)
  await answer.body.dump()
}

/** Throws for any other status than 2xx. The message omits the request's URL, because that contains a signature. */
function requireSuccess({ statusCode, body }: Dispatcher.ResponseData): void {
  if (statusCode >= 200 && statusCode < 300) return
  body.destroy()
  throw new Error(`The file store answered ${statusCode}.`)
}

/** Presigns a URL (AWS Signature Version 4 in the query). The request must send exactly the signed headers; the body is not signed. */
export async function presignedUrl(
  { method, url, headers = {} }: UnsignedRequest,
  { accessKeyId, secretAccessKey, region }: SigningKeys,
  { now, seconds }: { now: Date; seconds: number },
): Promise<string> {
  const unsigned = new URL(url)
  unsigned.searchParams.set('X-Amz-Expires', String(seconds))
  const signer = new AwsV4Signer({
    ...{ method, url: unsigned.href, headers, accessKeyId, secretAccessKey, region, cache },
    ...{ service: 's3', signQuery: true, allHeaders: true, datetime: momentOf(now) },
  })
  return (await signer.sign()).url.href
}

/** Formats a time as AWS signatures require: `20130524T000000Z`. */
function momentOf(now: Date): string {
  return `${now.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`
}
