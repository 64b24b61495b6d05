import type { TransferRefusal } from '../../providers/payments/provider.ts'
import type { X402Requirements } from '../../resources/company/x402-configuration/x402-configuration.ts'
import { ALWAYS } from '../parts/asset.ts'

/** The URL and the response may contain secrets, so they are not cached and not sent as referrers. */
const RESPONSE_HEADERS = {
  ...ALWAYS,
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex, nofollow',
}

const HOW_TO_PAY =
  'Sign one of `accepts` as x402, version 2, says, and send the same request again with what you signed in the header PAYMENT-SIGNATURE. The answer is then the receipt with what was bought.'

/** Payment terms. A software client signs one of the accepted terms, and sends the extensions back with the payment. */
export type Terms = X402Requirements & { extensions?: Record<string, unknown> }

export type Settlement =
  | { success: true; transaction: string; network: string; payer: string }
  | { success: false; errorReason: string; transaction: ''; network: string }

export function answer(status: number, body: object, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers: { ...RESPONSE_HEADERS, ...headers } })
}

/** Returns a 402 response with the terms and, if a payment was sent, the reason why it is not accepted. */
export function paymentRequired(
  terms: Terms,
  { message: error, code }: Partial<TransferRefusal> = { message: 'Payment is required.' },
): Response {
  const { x402Version, ...more } = terms
  const required = { x402Version, error, ...more }
  const { network } = terms.accepts[0]!
  const refused = code && settlementHeader({ success: false, errorReason: code, transaction: '', network })
  const headers = { 'PAYMENT-REQUIRED': inBase64(required), ...refused }
  return answer(402, { ...required, ...(code && { code }), how_to_pay: HOW_TO_PAY }, headers)
}

export function settlementHeader(settlement: Settlement): Record<string, string> {
  return { 'PAYMENT-RESPONSE': inBase64(settlement) }
}

/** Returns an error response for a payment that was not settled and will not be settled. */
export function refusal(status: number, error: string, more: object = {}): Response {
  return answer(status, { error, ...more })
}

export function retryLater(status: number, error: string, seconds: number): Response {
  return answer(status, { error }, { 'Retry-After': String(seconds) })
}

function inBase64(value: object): string {
  return Buffer.from(JSON.stringify(value), 'utf8').toString('base64')
}
