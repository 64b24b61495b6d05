/** A blockchain on which USDC is accepted, with Circle's USDC contract. Clients sign the contract's name and version (EIP-712). */
export interface X402Chain {
  network: `eip155:${number}`
  asset: `0x${string}`
  name: string
  version: string
  /** Whether the USDC is real; on test networks it is worthless. */
  real: boolean
  /** The number of blocks, including the transfer's own, after which a transfer is final. */
  confirmations: number
}

export const X402_CHAIN_NAMES = ['base', 'base-sepolia', 'polygon', 'avalanche'] as const
export type X402ChainName = (typeof X402_CHAIN_NAMES)[number]

export const X402_CHAINS = {
  base: {
    network: 'eip155:8453',
    asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    name: 'USD Coin',
    version: '2',
    real: true,
    confirmations: 3,
  },
  'base-sepolia': {
    network: 'eip155:84532',
    asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
    name: 'USDC',
    version: '2',
    real: false,
    confirmations: 3,
  },
  polygon: {
    network: 'eip155:137',
    asset: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
    name: 'USD Coin',
    version: '2',
    real: true,
    confirmations: 5,
  },
  avalanche: {
    network: 'eip155:43114',
    asset: '0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E',
    name: 'USD Coin',
    version: '2',
    real: true,
    confirmations: 1,
  },
} as const satisfies Record<X402ChainName, X402Chain>

/** USDC has six decimals and the US dollar two. */
export const USDC_PER_CENT = 10_000
