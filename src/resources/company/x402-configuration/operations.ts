import type { Context } from '../../../records/context.ts'
import { type Derived, resource } from '../../../records/resource.ts'
import { verbs } from '../../../records/verbs.ts'
import { currentConfiguration, whyNotServed } from './current.ts'
import { updateConfiguration } from './update.ts'
import { X402Configuration, type X402ConfigurationRow } from './x402-configuration.ts'

const { retrieve, update } = verbs(X402Configuration)

export const x402Configuration = resource(X402Configuration, {
  derive: deriveConfigurations,
  operations: [
    retrieve({
      summary: 'Show the crypto payment settings',
      path: '/x402_configuration',
      find: currentConfiguration,
    }),
    update({
      summary: 'Change the crypto payment settings',
      description:
        'Requires the role owner or admin, else 403. While enabled, the purchase_url of each one-time price in usd and the url of each such checkout answer 402 to programs, which pay by x402; `x402` of a checkout shows the terms. Live accounts need a chain that the service settles on, else 422. Test accounts use test chains only.',
      path: '/x402_configuration',
      emits: ['x402_configuration.updated'],
      inTurn: true,
      example: { x402_enabled: true, x402_wallet_address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' },
      find: currentConfiguration,
      rule: updateConfiguration,
    }),
  ],
})

function deriveConfigurations(rows: X402ConfigurationRow[], context: Context): Derived[] {
  return rows.map(({ x402_enabled, x402_chain }) => ({
    currency: 'USDC',
    unavailable_reason: x402_enabled && x402_chain !== null ? whyNotServed(context, x402_chain) : null,
  }))
}
