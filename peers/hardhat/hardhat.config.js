import { defineConfig } from 'hardhat/config'

/** The number of Base Sepolia, so that what is signed here is what would be signed there. */
const CHAIN_ID = 84_532

export default defineConfig({
  networks: { chain: { type: 'edr-simulated', chainType: 'generic', chainId: CHAIN_ID } },
})
