import type { BuyerCaller } from '../../contract/declarations/caller.ts'
import { ApiError, type FieldErrors, invalid } from '../../contract/declarations/errors.ts'
import type { Row } from '../../contract/declarations/noun.ts'
import type { Pipeline } from '../../pipeline/run.ts'
import type { Context } from '../../records/context.ts'
import { type Buying, buy } from '../../resources/sales/checkout/buy.ts'
import type { Checkout } from '../../resources/sales/checkout/checkout.ts'
import { type Entries, enter } from '../../resources/sales/checkout/enter.ts'
import { comeBack } from '../../resources/sales/checkout/progress.ts'
import { answerSecondStep } from '../../resources/sales/checkout/second_step.ts'
import { sheetOf } from '../../resources/sales/checkout/sheet.ts'
import { SALE_EVENTS } from '../../resources/sales/payment/events.ts'

type CheckoutRow = Row<typeof Checkout>

/** What came of a form: the buyer goes on, or sees the form again with what has changed or is wrong. */
export type Done =
  | { kind: 'moved' }
  | { kind: 'changed'; changed: boolean }
  /** Not charged: the buyer has not seen the order yet as it is now. */
  | { kind: 'to_agree' }
  | { kind: 'refused'; errors: FieldErrors }

/**
 * Carries out `work`, which a button asks for, as the buyer of a checkout; on PostgreSQL perhaps more than once, until one is
 * kept. A state that does not allow it is shown as it is.
 */
export async function act(
  pipeline: Pipeline,
  caller: BuyerCaller,
  work: (context: Context) => Promise<Done>,
): Promise<Done> {
  try {
    return await pipeline.visits.act(caller, SALE_EVENTS, work)
  } catch (error) {
    const refused = refusedOf(error)
    if (refused === null) throw error
    return refused
  }
}

/** What a rule's refusal means for the page; null for any other failure. */
export function refusedOf(error: unknown): Extract<Done, { kind: 'moved' | 'refused' }> | null {
  if (!(error instanceof ApiError)) return null
  if (error.code === 'invalid_state') return { kind: 'moved' }
  return error.details.errors === undefined ? null : { kind: 'refused', errors: error.details.errors }
}

export async function actIn(context: Context, checkout: CheckoutRow, button: string, buying: Buying): Promise<Done> {
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
      return change(context, checkout, changesOf(button, buying))
  }
}

async function change(context: Context, checkout: CheckoutRow, entries: Entries): Promise<Done> {
  const { agreement: before } = await sheetOf(context, checkout)
  const { agreement: after } = await sheetOf(context, await enter(context, checkout, entries))
  return { kind: 'changed', changed: after !== before }
}

/** What the buttons beside the cart change; each takes along what else was entered. */
function changesOf(button: string, { card: _card, name: _name, agreed: _agreed, ...entries }: Buying): Entries {
  if (button === 'update') return entries
  if (button === 'remove_code') return { ...entries, discount_code: '' }
  const [verb, id] = button.split(':')
  if (verb === 'remove' && id) return { ...entries, quantities: { ...entries.quantities, [id]: 0 } }
  throw invalid({ form: ['this page has no such action'] })
}
