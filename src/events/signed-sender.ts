import { cut } from '../contract/values/values.ts'
import { AddressRefusedError, NoAnswerError, type WebAnswer, type WebClient } from '../providers/web/client.ts'
import { unsignedHeaders } from './headers.ts'
import type { AttemptResult, DeliveryAttempt, WebhookSender } from './sender.ts'
import { bodySignature, standardSignatures } from './signing.ts'

/** The maximum number of bytes of a response that are read. */
const MAX_ANSWER_BYTES = 64_000
const KEPT_CHARACTERS = 2_048
/** The number of bytes that can contain `KEPT_CHARACTERS`, at four bytes each. */
const KEPT_BYTES = KEPT_CHARACTERS * 4
/** Statuses with which an endpoint can postpone the next attempt by `Retry-After`. */
const BUSY = [429, 503]
const LONGEST_WAIT_MS = 24 * 60 * 60 * 1000

interface SenderSettings {
  timeoutMs: number
  /** The name of the header for the signature of the body alone. */
  signatureHeader: string
}

export function signedSender(client: WebClient, { timeoutMs, signatureHeader }: SenderSettings): WebhookSender {
  return {
    async send(attempt) {
      const began = performance.now()
      const durationMs = () => Math.round(performance.now() - began)
      const { url, body, signal } = attempt
      const headers = headersOf(attempt, signatureHeader)
      const request = { method: 'POST', headers, body, timeoutMs, maxBytes: MAX_ANSWER_BYTES }
      try {
        const answer = await client.fetch(url, signal ? { ...request, signal } : request)
        return { ...resultOf(answer), durationMs: durationMs() }
      } catch (error) {
        return { ...FAILED, error: reasonOf(error), durationMs: durationMs() }
      }
    },
  }
}

const FAILED = { delivered: false, status: null, body: null, retryAfterMs: 0 }

function headersOf(
  { secret, id, type, number, body, subscription }: DeliveryAttempt,
  signatureHeader: string,
): Record<string, string> {
  const timestamp = Math.floor(Date.now() / 1000)
  return {
    ...unsignedHeaders({ id, type, number, timestamp, subscription }),
    'webhook-signature': standardSignatures([secret], { id, timestamp, body }),
    [signatureHeader]: bodySignature(secret, body),
  }
}

function resultOf({ status, headers, body }: WebAnswer): Omit<AttemptResult, 'durationMs'> {
  const delivered = status >= 200 && status < 300
  const error = delivered ? null : `The endpoint answered ${status}.`
  const retryAfterMs = BUSY.includes(status) ? parsedRetryAfter(headers['retry-after']) : 0
  return { delivered, status, body: storedBody(body), error, retryAfterMs }
}

/** PostgreSQL cannot store NUL characters. */
function storedBody(body: Uint8Array): string {
  const text = new TextDecoder().decode(body.subarray(0, KEPT_BYTES)).replaceAll('\0', '\ufffd')
  return cut(text, KEPT_CHARACTERS)
}

/** Parses a `Retry-After` header (RFC 9110, section 10.2.3): seconds or a date. Returns 0 for anything else. */
function parsedRetryAfter(given = ''): number {
  const waitMs = /^\d+$/.test(given) ? Number(given) * 1000 : Date.parse(given) - Date.now()
  return Number.isNaN(waitMs) ? 0 : Math.min(Math.max(0, waitMs), LONGEST_WAIT_MS)
}

function reasonOf(error: unknown): string {
  if (error instanceof AddressRefusedError) return `The address ${error.message}.`
  return error instanceof NoAnswerError ? error.message : 'The request failed.'
}
