import type { Context, Enqueueable } from '../../../records/context.ts'
import type { PaymentRow } from '../payment/payment.ts'

/** The job that plays the bank of a test card, by its name: its work books orders, which are paid by what this file is called by. */
export const PLAY_BANK: Enqueueable<{ payment: string }> = { name: 'dispute.play_bank' }

/** Lets a payment be disputed right after it was made, where its test card says so. */
export async function disputeTestCard(
  context: Context,
  { id: payment, provider, amount, formation }: PaymentRow,
  reference: string,
): Promise<void> {
  const { test } = context.services.payments
  if (provider !== test.name || amount === 0 || formation !== null) return
  if (test.disputeOf({ reference, paidAt: context.now })) await context.enqueue(PLAY_BANK, { payment })
}
