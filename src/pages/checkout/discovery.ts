import type { Listing } from '../../providers/payments/provider.ts'
import type { Terms } from './program-answers.ts'

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
