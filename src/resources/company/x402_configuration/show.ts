import type { Row } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import type { Derived } from '../../../records/resource.ts'
import { whyNotServed } from './served.ts'
import type { X402Configuration } from './x402_configuration.ts'

export function deriveConfigurations(rows: Row<typeof X402Configuration>[], context: Context): Derived[] {
  return rows.map(({ x402_enabled, x402_chain }) => ({
    currency: 'USDC',
    unavailable_reason: x402_enabled && x402_chain !== null ? whyNotServed(context, x402_chain) : null,
  }))
}
