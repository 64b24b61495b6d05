import { z } from 'zod'
import { flag, oneOf, text } from '../../../contract/declarations/kinds.ts'
import { noun, type Row } from '../../../contract/declarations/noun.ts'
import { X402_CHAIN_NAMES } from '../../../contract/values/x402-chains.ts'

const stored = noun('x402_configuration', {
  prefix: 'x402',
  group: 'X402Configuration',
  area: 'wallet',
  description: 'Settings for x402 payments in USDC, a digital dollar.',
  gist: 'USDC payments',
  events: ['updated'],
  eventsStayInside: true,
  example: { x402_enabled: true },
  fields: {
    x402_enabled: flag('Whether prices and open checkouts can be paid by x402; requires a wallet address').default(
      false,
    ),
    x402_wallet_address: text(
      'Wallet address to be paid. Mixed-case addresses must have a valid checksum (EIP-55); shown with checksum',
      {
        max: 42,
        pattern: /^0x[0-9a-fA-F]{40}$/,
        says: 'must be 0x and 40 hexadecimal digits',
        example: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      },
    ).nullable('none'),
    x402_chain: oneOf(
      X402_CHAIN_NAMES,
      'Blockchain of the wallet, base by default. base-sepolia: for tests, no real money',
    ).nullable('not chosen'),
    currency: text('Always USDC', { max: 4, example: 'USDC' }).derived(),
    unavailable_reason: text('Why no checkout offers x402 although it is enabled', {
      example: 'polygon moves real money, and this is a test account. Choose base-sepolia.',
    })
      .nullable('checkouts offer it, or it is disabled')
      .derived(),
  },
})

// An account has only one configuration, with the id of the account, so responses omit its id and creation time.
const { id, created_at, ...fields } = stored.fields

export const X402Configuration = {
  ...stored,
  prefix: null,
  isId: () => false,
  fields,
  hidden: { id: id!, created_at: created_at! },
}

const payment = z.object({
  scheme: z.literal('exact'),
  network: z.string(),
  amount: z.string(),
  asset: z.string(),
  payTo: z.string(),
  maxTimeoutSeconds: z.int(),
  extra: z.object({ name: z.string(), version: z.string() }),
})

/** The payment requirements that a server sends to its clients (x402 specification, version 2). */
export const x402Requirements = z.object({
  x402Version: z.literal(2),
  resource: z.object({ url: z.string(), description: z.string(), mimeType: z.string() }),
  accepts: z.array(payment),
})

export type X402Requirements = z.output<typeof x402Requirements>

export type X402ConfigurationRow = Row<typeof X402Configuration>
