import type { FacilitatorEvmSigner } from '@x402/evm'
import type { Hex } from 'viem'
import type { Chain } from './chain.ts'

export type Write = FacilitatorEvmSigner['writeContract']

const NO_ADDRESS: Hex = '0x0000000000000000000000000000000000000000'

/** The rules of the scheme `exact` as the library of x402 has them; without `write`, for looking only. */
export async function schemeOf(chain: Chain, { address = NO_ADDRESS, write }: { address?: Hex; write?: Write } = {}) {
  const { ExactEvmScheme } = await import('@x402/evm/exact/facilitator')
  const { client } = await chain.open()
  const never = () => Promise.reject(new Error('Only transfers are handed in.'))
  return new ExactEvmScheme({
    getAddresses: () => [address],
    readContract: client.readContract,
    verifyTypedData: never,
    writeContract: write ?? never,
    sendTransaction: never,
    // The provider waits itself, by the nonce, since another's transaction may be the one that moves the money.
    waitForTransactionReceipt: async () => ({ status: 'success' }),
    getCode: (asked) => client.getCode(asked),
  })
}
