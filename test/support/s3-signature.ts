import { createHash, createHmac } from 'node:crypto'

// AWS Signature Version 4, implemented independently so that the tests can check the requests of the service.

/** The credentials and the scope of a signature. */
export interface Signer {
  accessKeyId: string
  secretAccessKey: string
  region: string
  service: string
}

export interface UnsignedRequest {
  method: string
  url: URL
  /** The headers by lower-case name, including `host`. All are signed. */
  headers: Record<string, string>
}

const ALGORITHM = 'AWS4-HMAC-SHA256'

/** Whether a URL contains a valid signature of a request with these headers. Some of them may be unsigned. */
export function isPresigned({ method, url, headers }: UnsignedRequest, signer: Signer): boolean {
  const unsigned = new URL(url)
  const query = unsigned.searchParams
  const given = query.get('X-Amz-Signature')
  query.delete('X-Amz-Signature')
  const names = (query.get('X-Amz-SignedHeaders') ?? '').split(';')
  const signed = Object.fromEntries(names.map((name) => [name, headers[name] ?? '']))
  const request = { method, url: unsigned, headers: signed }
  return given === signatureOf(request, 'UNSIGNED-PAYLOAD', signer, query.get('X-Amz-Date') ?? '')
}

/**
 * Returns the hexadecimal signature of a request. `payload` is the SHA-256 of its body or a placeholder such as `UNSIGNED-PAYLOAD`, and
 * `moment` has the form `20130524T000000Z`.
 */
export function signatureOf(request: UnsignedRequest, payload: string, signer: Signer, moment: string): string {
  const toSign = [ALGORITHM, moment, scopeOf(signer, moment), sha256(canonicalRequest(request, payload))]
  const key = scopeOf(signer, moment)
    .split('/')
    .reduce<Buffer | string>((secret, part) => hmac(secret, part), `AWS4${signer.secretAccessKey}`)
  return hmac(key, toSign.join('\n')).toString('hex')
}

/** Returns the canonical form of a request, which both sides sign. */
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

/** Encodes according to RFC 3986, because `encodeURIComponent` leaves characters that AWS encodes. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)
}

function namesOf(headers: Record<string, string>): string {
  return Object.keys(headers)
    .map((name) => name.toLowerCase())
    .sort()
    .join(';')
}

function scopeOf({ region, service }: Signer, moment: string): string {
  return [moment.slice(0, 8), region, service, 'aws4_request'].join('/')
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function hmac(key: Buffer | string, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}
