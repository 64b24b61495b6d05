import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import type { Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { Listing, SignedTransfer, TransferRefusal, TransferTerms } from '../provider.ts'
import { type Chain, schemeOf, type Write } from './chain.ts'

/** Submits transfers with the service's own key, whose wallet pays the network fees. The money never passes through that wallet. */
export class OwnKey implements Settler {
  readonly #key: Hex
  /** The previous transaction. Transactions are sent one after the other, because a wallet numbers them. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(key: string) {
    this.#key = `0x${key.slice(2)}`
  }

  /** Returns null, because `checkTransfer` has already asked the chain. */
  async verify(): Promise<null> {
    return null
  }

  async settle(chain: Chain, { payload, requirements }: TransferSubmission): Promise<TransferRefusal | null> {
    const { privateKeyToAccount } = await import('viem/accounts')
    const account = privateKeyToAccount(this.#key)
    let isOut = false
    const write: Write = (call) => this.#inTurn(() => send(chain, account, call, () => (isOut = true)))
    const scheme = await schemeOf(chain, { address: account.address, write })
    const { success, errorReason, errorMessage } = await scheme.settle(payload, requirements)
    return success || isOut ? null : refusalOf(errorReason, errorMessage)
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work, work)
    this.#last = result.catch(() => {})
    return result
  }
}

/** A transfer in the format of the x402 libraries. Its client data was validated. */
export interface TransferSubmission {
  payload: PaymentPayload
  requirements: PaymentRequirements
}

export interface Settler {
  /** Returns why a transfer would be refused, or null. */
  verify(chain: Chain, handed: TransferSubmission): Promise<TransferRefusal | null>
  /** Submits a transfer. A refusal means that it was not published; after null, the chain decides. Rejects if neither is known. */
  settle(chain: Chain, handed: TransferSubmission): Promise<TransferRefusal | null>
}

export function submissionOf(
  { facts }: Chain,
  terms: TransferTerms,
  { signature, ...authorization }: SignedTransfer,
  listing?: Listing,
): TransferSubmission {
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

/** Returns a sentence for an error code of the libraries, with their details cut to 200 characters. */
export function refusalOf(code = 'payment_refused', detail?: string): TransferRefusal {
  const known = REASONS[code]
  const more = detail === undefined ? '' : ` ${detail.slice(0, 200)}`
  return { code: code.slice(0, 100), message: known ?? `The payment was refused: ${code.slice(0, 100)}.${more}` }
}

/** Calls `noteOut` before sending, because anybody may see the transaction from then on. */
async function send(
  chain: Chain,
  account: PrivateKeyAccount,
  { address: to, abi, functionName, args }: Parameters<Write>[0],
  noteOut: () => void,
): Promise<Hex> {
  const { viem, client } = await chain.open()
  const described = chain.described(viem)
  const wallet = viem.createWalletClient({ account, chain: described, transport: chain.transport(viem) })
  const data = viem.encodeFunctionData({ abi, functionName, args: [...args] })
  const request = await wallet.prepareTransactionRequest({ to, data, account, chain: described })
  const serializedTransaction = await wallet.signTransaction(request)
  noteOut()
  return client.sendRawTransaction({ serializedTransaction })
}
