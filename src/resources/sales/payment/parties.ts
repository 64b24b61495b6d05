import { withChecksum } from '../../company/x402-configuration/requirements.ts'
import type { PaymentRow } from './payment.ts'

interface PayerAndNetwork {
  payer: string
  network: string
}

/** Returns who paid on which network, for a charge. */
export function partiesOf({
  transfer,
}: Pick<PaymentRow, 'transfer'>): PayerAndNetwork | Record<keyof PayerAndNetwork, null> {
  return transfer === null ? { payer: null, network: null } : partiesOfTransfer(transfer)
}

/** Returns the same from the key of a transfer. */
export function partiesOfTransfer(key: string): PayerAndNetwork {
  const [network = '', payer = ''] = key.split('/')
  return { payer: withChecksum(payer), network }
}
