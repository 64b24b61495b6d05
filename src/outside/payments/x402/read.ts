import { z } from 'zod'
import { type BroughtTransfer, TransferUnreadableError } from '../provider.ts'

/** A signature of a key has 65 bytes; those of wallets that are contracts have more. With it a header has at most 6 KB. */
const LONGEST_SIGNATURE = 4_096
const LONGEST_HEADER = 8_192

const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'must be 0x and 40 hexadecimal digits')
const whole = z.string().regex(/^(0|[1-9][0-9]{0,77})$/, 'must be a whole number in a text')
const nonce = z.string().regex(/^0x[0-9a-fA-F]{64}$/, 'must be 0x and 64 hexadecimal digits')
const signature = z
  .string()
  .max(LONGEST_SIGNATURE, `must have at most ${LONGEST_SIGNATURE} characters`)
  .regex(/^0x([0-9a-fA-F]{2})+$/, 'must be 0x and hexadecimal digits')

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
})

/** What the header `PAYMENT-SIGNATURE` brings: JSON in Base64. */
export function readHeader(header: string): BroughtTransfer {
  if (header.length > LONGEST_HEADER)
    throw new TransferUnreadableError(`The header PAYMENT-SIGNATURE is longer than ${LONGEST_HEADER} characters.`)
  const result = payload.safeParse(decoded(header))
  if (!result.success) {
    const [{ path, message }] = result.error.issues as [z.core.$ZodIssue]
    throw new TransferUnreadableError(
      `The header PAYMENT-SIGNATURE is not a payment of x402, version 2, by the scheme exact: ${path.join('.') || 'it'}: ${message}.`,
    )
  }
  const { accepted, payload: signed } = result.data
  return { accepted, transfer: { ...signed.authorization, signature: signed.signature } }
}

function decoded(header: string): unknown {
  try {
    return JSON.parse(Buffer.from(header, 'base64').toString('utf8'))
  } catch {
    throw new TransferUnreadableError('The header PAYMENT-SIGNATURE is not JSON in Base64.')
  }
}
