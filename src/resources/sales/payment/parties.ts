import { withChecksum } from '../../company/x402-configuration/requirements.ts'
import type { PaymentRow } from './payment.ts'

interface PayerAndNetwork {
  payer: string
  network: string
}

/** Returns the wallet and the network of a payment in USDC; both are null for other payments. */
export function partiesOf({
  transfer,
}: Pick<PaymentRow, 'transfer'>): PayerAndNetwork | Record<keyof PayerAndNetwork, null> {
  return transfer === null ? { payer: null, network: null } : partiesOfTransfer(transfer)
}

/** `key` has the form `network/payer/nonce`. */
export function partiesOfTransfer(key: string): PayerAndNetwork {
  const [network = '', payer = ''] = key.split('/')
  return { payer: withChecksum(payer), network }
}
