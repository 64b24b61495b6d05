import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import type { Listing, SignedTransfer, TransferRefusal, TransferTerms } from '../provider.ts'
import type { Chain } from './chain.ts'

/** A transfer as the libraries of x402 take it. It holds nothing of a client's but what was read and checked. */
export interface Handed {
  payload: PaymentPayload
  requirements: PaymentRequirements
}

/** Who hands transfers in: a facilitator, or this service with a key of its own. */
export interface Settler {
  /** Why it would not hand a transfer in, or null. */
  verify(chain: Chain, handed: Handed): Promise<TransferRefusal | null>
  /**
   * Hands a transfer in. Null when that was done, or was begun: the chain says what becomes of it. A refusal means that nobody was
   * given the transfer. Rejects when neither is known.
   */
  settle(chain: Chain, handed: Handed): Promise<TransferRefusal | null>
}

export function handedOf(
  { facts }: Chain,
  terms: TransferTerms,
  { signature, ...authorization }: SignedTransfer,
  listing?: Listing,
): Handed {
  const requirements = { ...terms, network: facts.network }
  const payload = { x402Version: 2, accepted: requirements, payload: { signature, authorization } }
  return { requirements, payload: { ...payload, ...listing } }
}

const REASONS: Record<string, string> = {
  invalid_exact_evm_signature:
    'The signature is not that of the wallet that is to pay, for this amount, wallet and network.',
  invalid_exact_evm_insufficient_balance: 'The wallet that is to pay has too little USDC.',
  invalid_exact_evm_nonce_already_used: 'This payment was made or canceled before.',
  invalid_exact_evm_transaction_simulation_failed: 'The token would refuse the transfer.',
  eip6492_factory_not_allowed: 'The wallet that is to pay is not on the chain yet. Deploy it first.',
}

/** A reason of the libraries, as a sentence. What they say beside it may be long, and is left out. */
export function refusalOf(code = 'payment_refused', detail?: string): TransferRefusal {
  const known = REASONS[code]
  const more = detail === undefined ? '' : ` ${detail.slice(0, 200)}`
  return { code: code.slice(0, 100), message: known ?? `The payment was refused: ${code.slice(0, 100)}.${more}` }
}
