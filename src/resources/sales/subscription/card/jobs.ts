import { ApiError } from '../../../../contract/declarations/errors.ts'
import { newId } from '../../../../contract/values/ids.ts'
import { laterBy } from '../../../../contract/values/values.ts'
import type { CollectRequest, PaymentOutcome } from '../../../../providers/payments/provider.ts'
import type { Context } from '../../../../records/context.ts'
import { type JobContext, job } from '../../../../records/job.ts'
import { requireRow } from '../../../../records/records.ts'
import { deleteRowsOf } from '../../../../records/rows-of.ts'
import { Customer } from '../../../audience/customer/customer.ts'
import { currentProvider, NO_CARDS, unlessLost } from '../../payment/provider.ts'
import type { SubscriptionRow } from '../subscription.ts'
import { type CardChangeRow, chargedSubscriptions, findChange, isOpen, latestChange } from './find.ts'
import { settleChange } from './settle.ts'

interface CardRequest extends Omit<CollectRequest, 'accountId' | 'key' | 'signal' | 'card'> {
  change: string
}

/** Asks the provider for a page on which the buyer enters another card. */
export const askForCard = job<CardRequest>('card_change.ask', {
  work: (job, { change: id, ...request }) =>
    ask(job, id, ({ provider: name }) => {
      const { accountId, signal } = job
      const asked = { accountId, key: id, ...request, signal }
      const failed: PaymentOutcome = { state: 'failed', reference: null, message: NO_CARDS }
      return unlessLost(job, name, (provider) => provider.collect(asked)).then((outcome) => outcome ?? failed)
    }),
})

/** Used when the buyer returns before the webhook with the outcome arrives. */
export const lookUpCard = job<{ change: string }>('card_change.look_up', {
  work: (job, { change: id }) =>
    ask(job, id, async ({ provider: name, reference }) => {
      const { accountId, signal } = job
      if (reference === null) return null
      return unlessLost(job, name, (provider) => provider.lookUp({ accountId, key: id, reference, signal }))
    }),
})

async function ask(
  job: JobContext,
  id: string,
  request: (change: CardChangeRow) => Promise<PaymentOutcome | null>,
): Promise<void> {
  const change = await job.read((context: Context) => findChange(context, id))
  if (!change || change.status === 'saved' || change.status === 'failed') return
  const outcome = await request(change)
  if (outcome) await job.transaction((context) => settleChange(context, id, outcome), { inTurn: true })
}

/** A little longer than the time for which the provider's page can be used. */
const OPEN_MS = 35 * 60_000

interface CardChangeRequest {
  customer: string
  /** The URL to which the provider sends the buyer back. */
  returnUrl: string
  /** The number of a test card, if the provider accepts test cards. */
  card?: string
}

/** Lets the buyer enter a new card for all subscriptions, unless a change is open. Throws `invalid_state` without subscriptions. */
export async function beginChange(context: Context, { customer, returnUrl, card }: CardChangeRequest): Promise<void> {
  const [first] = await chargedSubscriptions(context, customer)
  if (!first) throw new ApiError('invalid_state', 'No subscription of this customer is charged to a card.')
  const before = await latestChange(context, customer)
  if (before && isOpen(before, context)) return
  const provider = await currentProvider(context)
  const change = await insertChange(context, customer, provider.name)
  const asking = await askingOf(context, change, { first, returnUrl })
  if (!provider.immediate) {
    await context.enqueue(askForCard, asking, { awaited: true, inRealTime: true })
    return
  }
  const { change: key, ...request } = asking
  const { accountId } = context
  const outcome = await provider.collect({ accountId, key, ...request, ...(card !== undefined && { card }) })
  await settleChange(context, key, outcome)
}

async function insertChange(context: Context, customer: string, provider: string): Promise<CardChangeRow> {
  await deleteRowsOf(context, 'card_changes').where('customer', '=', customer).execute()
  const blank = { status: 'begun', reference: null, url: null, failure_message: null } as const
  const times = { created_at: context.realNow, expires_at: laterBy(context.realNow, OPEN_MS) }
  const change = { account_id: context.accountId, id: newId('cardch'), customer, provider, ...blank, ...times }
  await context.db.insertInto('card_changes').values(change).execute()
  return change
}

async function askingOf(
  context: Context,
  { id, customer }: CardChangeRow,
  { first, returnUrl }: { first: SubscriptionRow; returnUrl: string },
): Promise<CardRequest> {
  const { email } = await requireRow(context, Customer, customer)
  const { currency } = first
  return { change: id, amount: 0, currency, description: 'Card for subscriptions', email, saveMethod: true, returnUrl }
}
