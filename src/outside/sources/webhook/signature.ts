import { createHmac, timingSafeEqual } from 'node:crypto'
import { durationInWords } from '../../../words/durations.ts'
import type { Delivery } from '../provider.ts'

/** How far the time of a signature may be from ours (Standard Webhooks): what is older may be a replay. */
const TOLERANCE_SECONDS = 300
const STANDARD_PREFIX = 'whsec_'
/** Entries of a list of signatures that are looked at: senders that change their secret send two. */
const MOST_SIGNATURES = 5

/**
 * What keeps a delivery from counting as signed with the secret, in a sentence; null when nothing does. Signatures are those
 * of Standard Webhooks, or `X-Hub-Signature-256`: `sha256=` and the HMAC-SHA256 of the body in hexadecimal.
 */
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
