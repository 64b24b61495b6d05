import type { Context } from '../../../records/context.ts'
import type { Derived } from '../../../records/resource.ts'
import { whyNotServed } from './current.ts'
import type { X402ConfigurationRow } from './x402_configuration.ts'

export function deriveConfigurations(rows: X402ConfigurationRow[], context: Context): Derived[] {
  return rows.map(({ x402_enabled, x402_chain }) => ({
    currency: 'USDC',
    unavailable_reason: x402_enabled && x402_chain !== null ? whyNotServed(context, x402_chain) : null,
  }))
}
