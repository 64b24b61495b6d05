import type { BuyerCaller } from '../../contract/declarations/caller.ts'
import type { Row } from '../../contract/declarations/noun.ts'
import type { BroughtTransfer } from '../../outside/payments/provider.ts'
import type { Context } from '../../records/context.ts'
import { requireRow } from '../../records/records.ts'
import { Checkout } from '../../resources/sales/checkout/checkout.ts'
import type { PaymentStarted } from '../../resources/sales/checkout/pay.ts'
import { payByTransfer } from '../../resources/sales/checkout/pay_by_transfer.ts'
import { SALE_EVENTS } from '../../resources/sales/payment/events.ts'
import type { Payment } from '../../resources/sales/payment/payment.ts'
import type { GoodTransfer } from '../../resources/sales/payment/transfer.ts'
import { type Given, type Offered, offeredOf, type Payable } from './program-state.ts'

export type PaymentRow = Row<typeof Payment>

export type Taken = GoodTransfer & Pick<BroughtTransfer, 'extensions'> & Pick<Payable, 'place'> & { email: string }

/** The buyer of a payment may read all of it; anybody else reads what the chain shows. */
export type Reader = 'buyer' | 'anybody'

/** A counter sells something to programs at an address. */
export interface Counter {
  caller: BuyerCaller
  /** Bounds payments about one thing; absent where all buyers pay at one address. */
  about?: string
  events: readonly string[]
  /** Whether a payment brings a new checkout, for which the account needs room. */
  opens: boolean
  offered(context: Context, given: Given): Promise<Offered | null>
  /** Claims what is sold for a transfer, in an open transaction. Null where the terms are no longer those that were signed. */
  claim(context: Context, taken: Taken, given: Given): Promise<PaymentStarted>
  /** Tells the buyer, who has sent a payment again, from others; null for a payment of something else. */
  readerOf(context: Context, payment: PaymentRow, brought: BroughtTransfer): Promise<Reader | null>
}

/** Sells a checkout that is open already. Its address is a secret, so its visitor is the buyer. */
export function checkoutCounter(caller: BuyerCaller): Counter {
  const { checkoutId } = caller
  return {
    ...{ caller, about: checkoutId, events: SALE_EVENTS, opens: false },
    offered: (context, given) => offeredOf(context, caller, given),
    claim: async (context, taken) => payByTransfer(context, await requireRow(context, Checkout, checkoutId), taken),
    readerOf: async (_, payment) => (payment.checkout === checkoutId ? 'buyer' : null),
  }
}
