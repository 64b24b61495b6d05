import { createHash, createHmac } from 'node:crypto'

/** Who signs, and for which service. */
export interface Signer {
  accessKeyId: string
  secretAccessKey: string
  region: string
  service: string
}

export interface UnsignedRequest {
  method: string
  url: URL
  /** By lower-case name; `host` among them. All are signed. */
  headers: Record<string, string>
}

const ALGORITHM = 'AWS4-HMAC-SHA256'
/** Requests whose address holds the signature do not sign their body. */
const UNSIGNED = 'UNSIGNED-PAYLOAD'

/**
 * An address that holds its own signature (AWS Signature Version 4 in the query), valid for `seconds` from `now`. Whoever uses
 * it sends exactly the headers that were signed.
 */
export function presignedUrl(
  { method, url, headers = {} }: Omit<UnsignedRequest, 'headers'> & { headers?: Record<string, string> },
  signer: Signer,
  { now, seconds }: { now: Date; seconds: number },
): string {
  const signed = new URL(url)
  const all = { host: url.host, ...headers }
  signed.searchParams.set('X-Amz-Algorithm', ALGORITHM)
  signed.searchParams.set('X-Amz-Credential', `${signer.accessKeyId}/${scopeOf(signer, now)}`)
  signed.searchParams.set('X-Amz-Date', momentOf(now))
  signed.searchParams.set('X-Amz-Expires', String(seconds))
  signed.searchParams.set('X-Amz-SignedHeaders', namesOf(all))
  const signature = signatureOf({ method, url: signed, headers: all }, UNSIGNED, signer, now)
  signed.search = `${canonicalQuery(signed)}&X-Amz-Signature=${signature}`
  return signed.href
}

/** The signature of a request, in hexadecimal. `payload` is the SHA-256 of its body, or what stands for it. */
export function signatureOf(request: UnsignedRequest, payload: string, signer: Signer, now: Date): string {
  const toSign = [ALGORITHM, momentOf(now), scopeOf(signer, now), sha256(canonicalRequest(request, payload))]
  const parts = [momentOf(now).slice(0, 8), signer.region, signer.service, 'aws4_request']
  const key = parts.reduce<Buffer | string>((secret, part) => hmac(secret, part), `AWS4${signer.secretAccessKey}`)
  return hmac(key, toSign.join('\n')).toString('hex')
}

/** Whatever is written in several ways, in the one that both sides sign. */
function canonicalRequest({ method, url, headers }: UnsignedRequest, payload: string): string {
  const lines = Object.entries(headers)
    .map(([name, value]) => `${name.toLowerCase()}:${value.trim().replace(/ +/g, ' ')}`)
    .sort()
  return [method, canonicalPath(url), canonicalQuery(url), ...lines, '', namesOf(headers), payload].join('\n')
}

function canonicalPath({ pathname }: URL): string {
  return pathname
    .split('/')
    .map((part) => encoded(decodeURIComponent(part)))
    .join('/')
}

function canonicalQuery({ searchParams }: URL): string {
  const pairs = [...searchParams].map(([name, value]) => [encoded(name), encoded(value)] as const)
  return pairs
    .sort(([one, first], [other, second]) => compare(one, other) || compare(first, second))
    .map((pair) => pair.join('='))
    .join('&')
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}

/** RFC 3986: `encodeURIComponent` leaves four characters that AWS encodes. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)
}

function namesOf(headers: Record<string, string>): string {
  return Object.keys(headers)
    .map((name) => name.toLowerCase())
    .sort()
    .join(';')
}

/** `20130524T000000Z` */
function momentOf(now: Date): string {
  return `${now.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`
}

function scopeOf({ region, service }: Signer, now: Date): string {
  return [momentOf(now).slice(0, 8), region, service, 'aws4_request'].join('/')
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function hmac(key: Buffer | string, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}
