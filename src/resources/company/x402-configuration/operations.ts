import { invalid } from '../../../contract/declarations/errors.ts'
import type { Changes } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow, insertRow } from '../../../records/records.ts'
import { type Derived, resource } from '../../../records/resource.ts'
import { verbs } from '../../../records/verbs.ts'
import { currentConfiguration, findStored, isMistyped, whyNotServed, withChecksum } from './requirements.ts'
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

async function updateConfiguration(
  context: Context,
  before: X402ConfigurationRow,
  changes: Changes<typeof X402Configuration>,
): Promise<X402ConfigurationRow> {
  const wanted = withDefaults({ ...before, ...changes })
  requireServed(context, wanted)
  const stored = (await findStored(context)) ?? (await insertRow(context, X402Configuration, before))
  return context.emit(X402Configuration, 'updated', await changeRow(context, X402Configuration, stored, wanted))
}

/** Fills in the defaults. Throws a 422 when x402 is enabled without a wallet address, or when the address was mistyped. */
function withDefaults({ x402_enabled, x402_wallet_address: address, x402_chain }: X402ConfigurationRow) {
  if (address !== null && isMistyped(address))
    throw invalid({
      x402_wallet_address: ['has a wrong checksum, so it was mistyped. Copy it again from the wallet'],
    })
  if (x402_enabled && address === null) throw invalid({ x402_wallet_address: ["can't be blank"] })
  return {
    x402_enabled,
    x402_wallet_address: address && withChecksum(address),
    x402_chain: x402_chain ?? (x402_enabled ? 'base' : null),
  } as const
}

/** Throws a 422 when a live account enables a chain on which the service has no facilitator, unless payments are simulated. */
function requireServed(
  context: Context,
  { x402_enabled, x402_chain }: Pick<X402ConfigurationRow, 'x402_enabled' | 'x402_chain'>,
): void {
  const mayTryOut = context.test || context.services.payments.pretending
  if (!x402_enabled || x402_chain === null || mayTryOut) return
  const problem = whyNotServed(context, x402_chain)
  if (problem !== null) throw invalid({ x402_chain: [`is not available. ${problem}`] })
}
