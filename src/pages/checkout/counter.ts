import type { BuyerCaller } from '../../contract/declarations/caller.ts'
import type { Row } from '../../contract/declarations/noun.ts'
import type { BroughtTransfer } from '../../providers/payments/provider.ts'
import type { Context } from '../../records/context.ts'
import { requireRow } from '../../records/records.ts'
import { Checkout } from '../../resources/sales/checkout/checkout.ts'
import type { PaymentStarted } from '../../resources/sales/checkout/pay.ts'
import { payByTransfer } from '../../resources/sales/checkout/pay-by-transfer.ts'
import { SALE_EVENTS } from '../../resources/sales/payment/events.ts'
import type { Payment } from '../../resources/sales/payment/payment.ts'
import type { GoodTransfer } from '../../resources/sales/payment/transfer.ts'
import { type OfferState, offerStateOf, type Payable, type ProgramQuery } from './program-state.ts'

export type PaymentRow = Row<typeof Payment>

type CheckedTransfer = GoodTransfer & Pick<BroughtTransfer, 'extensions'> & Pick<Payable, 'place'> & { email: string }

/** The reader of a receipt. Only the buyer may read the whole receipt; anybody else sees the facts that are public on the blockchain. */
export type ReceiptReader = 'buyer' | 'anybody'

export interface Counter {
  caller: BuyerCaller
  /** The id that the rate limit on payments counts by; absent if all buyers pay at the same URL. */
  about?: string
  events: readonly string[]
  /** Whether a payment opens a checkout, which requires free storage in the account. */
  opens: boolean
  offered(context: Context, given: ProgramQuery): Promise<OfferState | null>
  /** Starts the payment by a checked transfer. Returns null if the terms have changed since they were signed. */
  claim(context: Context, taken: CheckedTransfer, given: ProgramQuery): Promise<PaymentStarted>
  /** Returns `buyer` for the buyer who repeats a payment, `anybody` for others, and null if the payment is for something else. */
  readerOf(context: Context, payment: PaymentRow, brought: BroughtTransfer): Promise<ReceiptReader | null>
}

/** Lets software clients pay an open checkout. Its URL is a secret, so every visitor counts as the buyer. */
export function checkoutCounter(caller: BuyerCaller): Counter {
  const { checkoutId } = caller
  return {
    ...{ caller, about: checkoutId, events: SALE_EVENTS, opens: false },
    offered: (context, given) => offerStateOf(context, caller, given),
    claim: async (context, taken) => payByTransfer(context, await requireRow(context, Checkout, checkoutId), taken),
    readerOf: async (_, payment) => (payment.checkout === checkoutId ? 'buyer' : null),
  }
}
