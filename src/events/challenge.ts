import { randomBytes, timingSafeEqual } from 'node:crypto'
import { AddressRefusedError, NoAnswerError, type WebClient } from '../providers/web/client.ts'
import { unsignedHeaders } from './headers.ts'
import { standardSignatures } from './signing.ts'

const TIMEOUT_MS = 10_000
/** The maximum size of a response. One that echoes the challenge is much shorter. */
const MAX_ANSWER_BYTES = 4_096

/** The reasons why a callback was not verified, as named by the MCP extension for events (SEP-3415). */
type ChallengeFailure = 'challenge_failed' | 'connection_refused' | 'timeout' | 'tls_error' | 'http_4xx' | 'http_5xx'

interface Callback {
  url: string
  secret: string
  subscription: string
}

/** Verifies that a URL accepts events: it must echo a random challenge. Returns null if it does. Redirects are not followed. */
export async function challenge(
  client: WebClient,
  { url, secret, subscription }: Callback,
): Promise<ChallengeFailure | null> {
  const nonce = randomBytes(32).toString('base64url')
  const id = `msg_verification_${randomBytes(16).toString('hex')}`
  const timestamp = Math.floor(Date.now() / 1000)
  const body = JSON.stringify({ type: 'verification', challenge: nonce })
  const headers = {
    ...unsignedHeaders({ id, type: 'verification', number: 1, timestamp, subscription }),
    'webhook-signature': standardSignatures([secret], { id, timestamp, body }),
  }
  const request = { method: 'POST', headers, body, timeoutMs: TIMEOUT_MS, maxBytes: MAX_ANSWER_BYTES }
  try {
    const answer = await client.fetch(url, request)
    if (answer.status >= 400) return answer.status < 500 ? 'http_4xx' : 'http_5xx'
    const isEchoed = answer.status >= 200 && answer.status < 300 && echoes(answer.body, nonce)
    return isEchoed ? null : 'challenge_failed'
  } catch (error) {
    if (error instanceof NoAnswerError) return failureOf(error)
    throw error
  }
}

/** Returns why the address was refused; null for any other error. */
export function refusedAddress(error: unknown): string | null {
  return error instanceof AddressRefusedError ? error.message : null
}

function echoes(body: Uint8Array, nonce: string): boolean {
  try {
    const echoed = Buffer.from(String(JSON.parse(Buffer.from(body).toString('utf8')).challenge))
    return echoed.length === nonce.length && timingSafeEqual(echoed, Buffer.from(nonce))
  } catch {
    return false
  }
}

function failureOf({ message }: NoAnswerError): ChallengeFailure {
  if (/certificate/.test(message)) return 'tls_error'
  return /timed out|within/.test(message) ? 'timeout' : 'connection_refused'
}
