import type { Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { TransferRefusal } from '../provider.ts'
import type { Chain } from './chain.ts'
import { schemeOf, type Write } from './scheme.ts'
import { type Handed, refusalOf, type Settler } from './settler.ts'

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
