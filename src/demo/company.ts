import { call, type Happening } from './happening.ts'

/** Payments by x402 stay off, because only an owner can set the wallet, but the test blockchain is already chosen. */
export const COMPANY: readonly Happening[] = [
  call(14, '/x402_configuration', { x402_chain: 'base-sepolia' }, { method: 'PATCH' }),
]
