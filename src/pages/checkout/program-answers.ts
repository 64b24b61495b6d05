import type { TransferRefusal } from '../../outside/payments/provider.ts'
import type { X402Requirements } from '../../resources/company/x402_configuration/x402_configuration.ts'
import { ALWAYS } from '../parts/asset.ts'

/** The address holds a secret, and so may the answer: no referrer, no cache. */
const OF_ANSWERS = {
  ...ALWAYS,
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex, nofollow',
}

const HOW_TO_PAY =
  'Sign one of `accepts` as x402, version 2, says, and send the same request again with what you signed in the header PAYMENT-SIGNATURE. The answer is then the receipt with what was bought.'

/** A client signs one of the terms, and sends the extensions back with the payment. */
export type Terms = X402Requirements & { extensions?: Record<string, unknown> }

export type Settlement =
  | { success: true; transaction: string; network: string; payer: string }
  | { success: false; errorReason: string; transaction: ''; network: string }

export function answer(status: number, body: object, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers: { ...OF_ANSWERS, ...headers } })
}

/** 402: what to pay, and why what was sent is not taken, if anything was. */
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

/** Nothing was settled, and nothing will be. */
export function refusal(status: number, error: string, more: object = {}): Response {
  return answer(status, { error, ...more })
}

/** The same request may be sent again after some seconds. */
export function later(status: number, error: string, seconds: number): Response {
  return answer(status, { error }, { 'Retry-After': String(seconds) })
}

function inBase64(value: object): string {
  return Buffer.from(JSON.stringify(value), 'utf8').toString('base64')
}
