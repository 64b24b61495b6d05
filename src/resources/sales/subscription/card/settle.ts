import type { PaymentOutcome, SavedMethod } from '../../../../providers/payments/provider.ts'
import type { Context } from '../../../../records/context.ts'
import { updateRowsOf } from '../../../../records/rows-of.ts'
import { type CardChangeRow, findChange } from './find.ts'

const MAX_MESSAGE = 500

/** Books the outcome of a card change once; a saved card is charged for all subscriptions of the customer from now on. */
export async function settleChange(context: Context, id: string, outcome: PaymentOutcome): Promise<void> {
  const change = await findChange(context, id)
  if (!change || change.status === 'saved') return
  if (outcome.state === 'failed') return note(context, change, { status: 'failed', failure_message: outcome.message })
  if (outcome.state === 'succeeded') return save(context, change, outcome)
  const url = outcome.state === 'needs_buyer' ? outcome.url : null
  await note(context, change, { status: 'needs_buyer', reference: outcome.reference, url })
}

async function save(
  context: Context,
  change: CardChangeRow,
  { reference, method }: { reference: string; method: SavedMethod | null },
): Promise<void> {
  if (method === null)
    return note(context, change, {
      status: 'failed',
      failure_message: 'The card could not be kept for later payments.',
    })
  await updateRowsOf(context, 'subscriptions')
    .set({ provider: change.provider, method: JSON.stringify(method) })
    .where('customer', '=', change.customer)
    .where('status', '!=', 'canceled')
    .execute()
  await note(context, change, { status: 'saved', reference, url: null, failure_message: null })
}

async function note(context: Context, { id }: CardChangeRow, values: Partial<CardChangeRow>): Promise<void> {
  const { failure_message: message } = values
  const bounded = message ? { ...values, failure_message: message.slice(0, MAX_MESSAGE) } : values
  await updateRowsOf(context, 'card_changes').set(bounded).where('id', '=', id).execute()
}
