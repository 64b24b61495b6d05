import type { Row } from '../../../contract/declarations/noun.ts'
import { withChecksum } from '../../company/x402_configuration/checksum.ts'
import type { Payment } from './payment.ts'

/** Who paid where, as a charge shows it. */
export function partiesOf({ transfer }: Pick<Row<typeof Payment>, 'transfer'>): {
  payer: string | null
  network: string | null
} {
  const [network, payer] = transfer?.split('/') ?? []
  return { payer: payer ? withChecksum(payer) : null, network: network ?? null }
}
