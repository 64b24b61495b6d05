import { X402_CHAINS, type X402ChainName } from '../../../contract/values/x402-chains.ts'
import type { Context } from '../../../records/context.ts'

type Serving = Pick<Context, 'services' | 'test'>

/** Why payments on a chain cannot be settled for the account, in a sentence, or null. Test accounts never take real money. */
export function whyNotServed({ services: { payments }, test }: Serving, chain: X402ChainName): string | null {
  const { network, real } = X402_CHAINS[chain]
  if (test && real) return `${chain} moves real money, and this is a test account. Choose base-sepolia.`
  if (payments.x402 === null)
    return `Nothing settles payments in USDC yet. To whoever runs the service: ${payments.x402SetUp.join(' ')}`
  return payments.x402.serves(network) ? null : `The setting X402_RPC_URLS names no node of ${chain}.`
}
