import type { Listing, TransferRefusal } from '../../providers/payments/provider.ts'
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

type Settlement =
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

const text = (description: string) => ({ type: 'string', description })

const QUERY = {
  email: text('For the receipt'),
  quantity: { type: 'integer', minimum: 1 },
  amount: { type: 'integer', description: 'Cents, where the buyer names the price' },
  country: text('ISO 3166-1, where tax depends on it'),
  region: text('ISO 3166-2'),
  vat_id: text('Of a business'),
}

/** The extension `bazaar` of @x402/extensions. Its texts are short, because some proxies limit response headers to 4 KB. */
export const BAZAAR = {
  info: {
    input: { type: 'http', method: 'GET', queryParams: { email: 'ada@example.com' } },
    output: { type: 'json', example: { object: 'x402_receipt', order: { status: 'succeeded' } } },
  },
  schema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      input: {
        type: 'object',
        properties: {
          type: { type: 'string', const: 'http' },
          method: { type: 'string', enum: ['GET'] },
          queryParams: { type: 'object', properties: QUERY, required: ['email'] },
        },
        required: ['type', 'method'],
        additionalProperties: false,
      },
      output: {
        type: 'object',
        properties: { type: { type: 'string' }, example: { type: 'object' } },
        required: ['type'],
      },
    },
    required: ['input'],
  },
} as const

/** Returns the description of a purchase for a facilitator's catalogue, without the secret in the terms. */
export function listingOf({ resource, extensions }: Terms): Listing | undefined {
  return extensions && 'bazaar' in extensions ? { resource, extensions: { bazaar: extensions.bazaar } } : undefined
}
