import type { BuyerCaller } from '../../contract/declarations/caller.ts'
import { ApiError, type FieldErrors, invalid } from '../../contract/declarations/errors.ts'
import type { Row } from '../../contract/declarations/noun.ts'
import type { Pipeline } from '../../pipeline/run.ts'
import type { Context } from '../../records/context.ts'
import { type Buying, buy } from '../../resources/sales/checkout/buy.ts'
import type { Checkout } from '../../resources/sales/checkout/checkout.ts'
import { answerSecondStep, comeBack } from '../../resources/sales/checkout/progress.ts'
import { sheetOf } from '../../resources/sales/checkout/sheet.ts'
import { type Entries, enter } from '../../resources/sales/checkout/update.ts'
import { SALE_EVENTS } from '../../resources/sales/payment/events.ts'

type CheckoutRow = Row<typeof Checkout>

/** The result of a submitted form: the buyer is redirected, or sees the form again with changes or errors. */
export type FormResult =
  | { kind: 'moved' }
  | { kind: 'changed'; changed: boolean }
  /** The buyer was not charged, because the order has changed since the buyer saw it. */
  | { kind: 'to_agree' }
  | { kind: 'refused'; errors: FieldErrors }

/** Runs `work` as the buyer of a checkout. On PostgreSQL, it may run several times until a transaction commits. */
export async function act(
  pipeline: Pipeline,
  caller: BuyerCaller,
  work: (context: Context) => Promise<FormResult>,
): Promise<FormResult> {
  try {
    return await pipeline.visits.act(caller, SALE_EVENTS, work)
  } catch (error) {
    const refused = refusedOf(error)
    if (refused === null) throw error
    return refused
  }
}

/** Returns null for errors that are not about the buyer's input or the checkout's state. */
export function refusedOf(error: unknown): Extract<FormResult, { kind: 'moved' | 'refused' }> | null {
  if (!(error instanceof ApiError)) return null
  if (error.code === 'invalid_state') return { kind: 'moved' }
  return error.details.errors === undefined ? null : { kind: 'refused', errors: error.details.errors }
}

export async function actIn(
  context: Context,
  checkout: CheckoutRow,
  button: string,
  buying: Buying,
): Promise<FormResult> {
  switch (button) {
    case 'pay': {
      const payment = await buy(context, checkout, buying)
      return { kind: payment === null ? 'to_agree' : 'moved' }
    }
    case 'approve':
    case 'refuse':
      await answerSecondStep(context, checkout, button === 'approve', buying.agreed)
      return { kind: 'moved' }
    case 'take_back':
      await comeBack(context, checkout, { turnedBack: true })
      return { kind: 'moved' }
    default:
      return change(context, checkout, cartChanges(button, buying))
  }
}

async function change(context: Context, checkout: CheckoutRow, entries: Entries): Promise<FormResult> {
  const { agreement: before } = await sheetOf(context, checkout)
  const { agreement: after } = await sheetOf(context, await enter(context, checkout, entries))
  return { kind: 'changed', changed: after !== before }
}

/** A button that changes the cart also submits everything else that was entered in the form. */
function cartChanges(button: string, { card: _card, name: _name, agreed: _agreed, ...entries }: Buying): Entries {
  if (button === 'update') return entries
  if (button === 'remove_code') return { ...entries, discount_code: '' }
  const [verb, id] = button.split(':')
  if (verb === 'remove' && id) return { ...entries, quantities: { ...entries.quantities, [id]: 0 } }
  throw invalid({ form: ['this page has no such action'] })
}
