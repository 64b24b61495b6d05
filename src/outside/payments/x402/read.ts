import { z } from 'zod'
import { type BroughtTransfer, TransferUnreadableError } from '../provider.ts'

/** A signature of a key has 65 bytes; those of wallets that are contracts have more, here 2,048. Extensions have some 2 KB. */
const LONGEST_HEADER = 12_288

type Hex = `0x${string}`

function hex(digits: RegExp, error: string) {
  return z.custom<Hex>(
    (given) => typeof given === 'string' && given.startsWith('0x') && digits.test(given.slice(2)),
    error,
  )
}

const address = hex(/^[0-9a-f]{40}$/i, 'must be 0x and 40 hexadecimal digits')
const nonce = hex(/^[0-9a-f]{64}$/i, 'must be 0x and 64 hexadecimal digits')
const signature = hex(/^([0-9a-f]{2}){1,2048}$/i, 'must be 0x and pairs of hexadecimal digits, 2048 at most')
const whole = z.string().regex(/^(0|[1-9][0-9]{0,77})$/, 'must be a whole number in a text')

/** The payload of x402, version 2, for the scheme `exact` on an EVM. What else it holds is not used, and goes nowhere. */
const payload = z.object({
  x402Version: z.literal(2),
  accepted: z.object({
    scheme: z.literal('exact'),
    network: z.string().max(100),
    amount: whole,
    asset: address,
    payTo: address,
  }),
  payload: z.object({
    authorization: z.object({
      from: address,
      to: address,
      value: whole,
      validAfter: whole,
      validBefore: whole,
      nonce,
    }),
    signature,
  }),
  extensions: z.record(z.string(), z.unknown()).nullish(),
})

/** What the header `PAYMENT-SIGNATURE` brings: JSON in Base64. */
export function readHeader(header: string): BroughtTransfer {
  if (header.length > LONGEST_HEADER)
    throw new TransferUnreadableError(`The header PAYMENT-SIGNATURE is longer than ${LONGEST_HEADER} characters.`)
  const result = payload.safeParse(decoded(header))
  if (!result.success) {
    const [issue] = result.error.issues
    throw new TransferUnreadableError(
      `The header PAYMENT-SIGNATURE is not a payment of x402, version 2, by the scheme exact: ${issue?.path.join('.') || 'it'}: ${issue?.message}.`,
    )
  }
  const { accepted, payload: signed, extensions } = result.data
  return {
    accepted,
    transfer: { ...signed.authorization, signature: signed.signature },
    extensions: extensions ?? {},
  }
}

function decoded(header: string): unknown {
  try {
    return JSON.parse(Buffer.from(header, 'base64').toString('utf8'))
  } catch {
    throw new TransferUnreadableError('The header PAYMENT-SIGNATURE is not JSON in Base64.')
  }
}
