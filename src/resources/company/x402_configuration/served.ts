import { X402_CHAINS, type X402ChainName } from '../../../contract/values/x402-chains.ts'
import type { Context } from '../../../records/context.ts'

type Serving = Pick<Context, 'services' | 'test'>

/** Why payments on a chain cannot be settled for the account, in a sentence, or null. Test accounts never take real money. */
export function whyNotServed({ services: { payments }, test }: Serving, chain: X402ChainName): string | null {
  const { network, real } = X402_CHAINS[chain]
  if (test && real) return `${chain} moves real money, and this is a test account. Choose base-sepolia.`
  if (payments.x402 === null) return 'This service does not take USDC yet. Ask whoever runs it to set that up.'
  if (payments.x402.serves(network)) return null
  return `This service does not take USDC on ${chain}. Choose another chain, or ask whoever runs the service to add this one.`
}
