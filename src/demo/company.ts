import { call, type Happening } from './happening.ts'

/** Payments by x402 stay off, because only an owner can set the wallet, but the test blockchain is already chosen. */
export const COMPANY: readonly Happening[] = [
  call(14, '/x402_configuration', { x402_chain: 'base-sepolia' }, { method: 'PATCH' }),
  call(0.1, '/sites', {
    name: 'Kestrel Studio',
    subdomain: 'kestrel-studio',
    prompt:
      'A quiet site for our studio: the presses with a photo each, when members can come, the next printing days, and how to find us at 14 Foundry Lane.',
  }),
]
