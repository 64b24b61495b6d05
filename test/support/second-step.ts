import type { BuyerCaller } from '../../src/contract/declarations/caller.ts'
import { requireRow } from '../../src/records/records.ts'
import { Checkout } from '../../src/resources/sales/checkout/checkout.ts'
import { answerSecondStep } from '../../src/resources/sales/checkout/progress.ts'
import { SALE_EVENTS } from '../../src/resources/sales/payment/events.ts'
import type { Shop } from './shop.ts'

/** A test card whose bank asks the buyer for a second step. */
export const ASKS_BUYER = '4000002500003155'

/** The buyer's answer at the bank. */
export function answerAtBank(shop: Shop, checkoutId: string, approved: boolean): Promise<unknown> {
  const { pipeline, database } = shop.running.app
  const caller: BuyerCaller = { kind: 'buyer', accountId: shop.accountId, checkoutId }
  return pipeline.contexts.part(
    database,
    caller,
    SALE_EVENTS,
    async (context) => answerSecondStep(context, await requireRow(context, Checkout, checkoutId), approved),
    { inTurn: true },
  )
}
