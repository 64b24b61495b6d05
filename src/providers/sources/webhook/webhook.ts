import { createHmac, timingSafeEqual } from 'node:crypto'
import { text } from '../../../contract/declarations/kinds.ts'
import { jsonTypeOf } from '../../../contract/values/json.ts'
import { durationInWords } from '../../../format/durations.ts'
import { type Delivery, NotGenuineError, type PushedProvider } from '../provider.ts'

/** The maximum age of a signature, against replays, and the maximum difference of the clocks (Standard Webhooks). */
const TOLERANCE_SECONDS = 300
const STANDARD_PREFIX = 'whsec_'
/** The maximum number of signatures that are checked; senders send two while they rotate their secret. */
const MOST_SIGNATURES = 5

const EVENT = 'received'
const MIN_SECRET = 16
const MAX_SECRET = 200

export const webhook: PushedProvider = {
  kind: 'pushed',
  provider: 'webhook',
  name: 'Webhook',
  description:
    'An event for each JSON body, up to 256 KB, that an external system posts to the source’s ingest_url. The URL is secret. A request that repeats the webhook-id or Idempotency-Key of an earlier one within 4 days is ignored.',
  eventTypes: [
    {
      name: EVENT,
      description: 'A JSON body was posted. Its data is that body, or {body} if it is not an object.',
    },
  ],
  config: {
    secret: text(
      'Secret that senders sign with: Standard Webhooks (webhook-id, webhook-timestamp, webhook-signature) or X-Hub-Signature-256; unsigned requests are then refused',
      { min: MIN_SECRET, max: MAX_SECRET, verbatim: true, example: null },
    )
      .nullable('requests need no signature')
      .inputOnly(),
  },
  receive(delivery, { secret }) {
    const problem = typeof secret === 'string' ? signatureProblem(delivery, secret) : null
    if (problem !== null) throw new NotGenuineError(problem)
    const id = delivery.header('webhook-id') ?? delivery.header('idempotency-key')
    return { event: { type: EVENT, data: objectOf(delivery.json) }, id }
  },
}

function objectOf(json: unknown): Record<string, unknown> {
  return jsonTypeOf(json) === 'object' ? (json as Record<string, unknown>) : { body: json }
}

/** Returns why the signature is invalid, or null. Accepts Standard Webhooks and `X-Hub-Signature-256` (hexadecimal HMAC-SHA256). */
export function signatureProblem(delivery: Delivery, secret: string): string | null {
  if (delivery.header('webhook-signature') !== null) return standardProblem(delivery, secret)
  const given = delivery.header('x-hub-signature-256')
  if (given === null) return 'The request is not signed. Send webhook-signature or X-Hub-Signature-256.'
  const right = createHmac('sha256', secret).update(delivery.body).digest('hex')
  return isSame(given.toLowerCase(), `sha256=${right}`) ? null : 'The signature in X-Hub-Signature-256 is wrong.'
}

function standardProblem({ header, body, receivedMs }: Delivery, secret: string): string | null {
  const [id, timestamp] = [header('webhook-id'), header('webhook-timestamp')]
  if (!id || timestamp === null || !/^\d{1,12}$/.test(timestamp))
    return 'webhook-signature needs webhook-id, and webhook-timestamp in seconds since 1970.'
  if (Math.abs(receivedMs / 1000 - Number(timestamp)) > TOLERANCE_SECONDS)
    return `webhook-timestamp differs from the current time by more than ${durationInWords(TOLERANCE_SECONDS)}.`
  const hmac = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.`).update(body)
  const right = `v1,${hmac.digest('base64')}`
  const given = header('webhook-signature')!.split(' ').slice(0, MOST_SIGNATURES)
  return given.some((one) => isSame(one, right)) ? null : 'The signature in webhook-signature is wrong.'
}

function keyOf(secret: string): Buffer {
  const isStandard = secret.startsWith(STANDARD_PREFIX)
  return isStandard ? Buffer.from(secret.slice(STANDARD_PREFIX.length), 'base64') : Buffer.from(secret)
}

function isSame(given: string, right: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(right)]
  return one.length === other.length && timingSafeEqual(one, other)
}
