import { withChecksum } from '../../company/x402_configuration/requirements.ts'
import type { PaymentRow } from './payment.ts'

interface Parties {
  payer: string
  network: string
}

/** Returns who paid on which network, for a charge. */
export function partiesOf({ transfer }: Pick<PaymentRow, 'transfer'>): Parties | Record<keyof Parties, null> {
  return transfer === null ? { payer: null, network: null } : partiesOfTransfer(transfer)
}

/** Returns the same from the key of a transfer. */
export function partiesOfTransfer(key: string): Parties {
  const [network = '', payer = ''] = key.split('/')
  return { payer: withChecksum(payer), network }
}
