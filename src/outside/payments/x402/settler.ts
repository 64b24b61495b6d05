import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import type { Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { Listing, SignedTransfer, TransferRefusal, TransferTerms } from '../provider.ts'
import { type Chain, schemeOf, type Write } from './chain.ts'

/** Hands transfers in with a key of the service, whose wallet pays the fees of the chain. The money never passes through it. */
export class OwnKey implements Settler {
  readonly #key: Hex
  /** A wallet numbers its transactions, so each is sent before the next is made. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(key: string) {
    this.#key = `0x${key.slice(2)}`
  }

  /** The chain was asked already. */
  async verify(): Promise<null> {
    return null
  }

  async settle(chain: Chain, { payload, requirements }: Handed): Promise<TransferRefusal | null> {
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

/** `noteOut` is called before anybody else can see the transfer. */
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
