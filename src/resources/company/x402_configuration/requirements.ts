import type { Row } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import { findStored } from './current.ts'
import type { Chain, X402Configuration, X402Requirements } from './x402_configuration.ts'

/** USDC on each chain. Clients sign for the name and version that its contract has (EIP-712). */
export const USDC: Record<Chain, { network: string; asset: string; name: string; version: string; real: boolean }> = {
  base: {
    network: 'eip155:8453',
    asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    name: 'USD Coin',
    version: '2',
    real: true,
  },
  'base-sepolia': {
    network: 'eip155:84532',
    asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
    name: 'USDC',
    version: '2',
    real: false,
  },
  polygon: {
    network: 'eip155:137',
    asset: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
    name: 'USD Coin',
    version: '2',
    real: true,
  },
  avalanche: {
    network: 'eip155:43114',
    asset: '0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E',
    name: 'USD Coin',
    version: '2',
    real: true,
  },
}

/** USDC has six decimals, a dollar two. */
const USDC_PER_CENT = 10_000
/** How long a client's signature is to hold. */
const HOLDS_SECONDS = 300

/** What is to be paid. */
interface Payable {
  url: string
  description: string
  /** In cents of the US dollar. */
  amount: number
}

/** A wallet that is paid. */
export interface X402Wallet {
  address: string
  chain: Chain
}

/** Where x402 payments of the account go, or null while it takes none. Test accounts never take real money. */
export async function x402Wallet(context: Context): Promise<X402Wallet | null> {
  const configuration: Row<typeof X402Configuration> | undefined = await findStored(context)
  if (!configuration?.x402_enabled) return null
  const { x402_wallet_address: address, x402_chain: chain } = configuration
  if (address === null || chain === null || (context.test && USDC[chain].real)) return null
  return { address, chain }
}

/** What a client has to sign to pay into a wallet. */
export function requirementsOf(
  { address, chain }: X402Wallet,
  { url, description, amount }: Payable,
): X402Requirements {
  const { network, asset, name, version } = USDC[chain]
  return {
    x402Version: 2,
    resource: { url, description, mimeType: 'text/html' },
    accepts: [
      {
        scheme: 'exact',
        network,
        amount: String(amount * USDC_PER_CENT),
        asset,
        payTo: address,
        maxTimeoutSeconds: HOLDS_SECONDS,
        extra: { name, version },
      },
    ],
  }
}
