import { ApiError } from '../../../contract/declarations/errors.ts'
import { newId } from '../../../contract/values/ids.ts'
import { laterBy } from '../../../contract/values/values.ts'
import type { CollectRequest, PaymentOutcome, SavedMethod } from '../../../providers/payments/provider.ts'
import { decode } from '../../../records/columns.ts'
import type { Context } from '../../../records/context.ts'
import { type JobContext, job } from '../../../records/job.ts'
import { requireRow } from '../../../records/records.ts'
import { deleteRowsOf, rowsOf, updateRowsOf } from '../../../records/rows-of.ts'
import { Customer } from '../../audience/customer/customer.ts'
import type { Tables } from '../../tables.ts'
import { currentProvider, NO_CARDS, unlessLost } from '../payment/provider.ts'
import { Subscription, type SubscriptionRow } from './subscription.ts'

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

/** Asks the provider for the outcome, for a buyer who returns before the webhook with the outcome arrives. */
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

const MAX_MESSAGE = 500

/** Records the outcome of a card change once. A saved card is charged for all of the customer's subscriptions from now on. */
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

export type CardChangeRow = Tables['card_changes']

const MOST_SUBSCRIPTIONS = 100

export async function chargedSubscriptions(context: Context, customer: string): Promise<SubscriptionRow[]> {
  const rows = await rowsOf(context, 'subscriptions')
    .selectAll()
    .where('customer', '=', customer)
    .where('status', '!=', 'canceled')
    .where('ends_at', 'is', null)
    .orderBy('id')
    .limit(MOST_SUBSCRIPTIONS)
    .execute()
  return rows.map((row) => decode(Subscription, row))
}

/** Returns the latest card change, which may be finished. */
export function latestChange(context: Context, customer: string): Promise<CardChangeRow | undefined> {
  return rowsOf(context, 'card_changes').selectAll().where('customer', '=', customer).executeTakeFirst()
}

export function findChange(context: Context, id: string): Promise<CardChangeRow | undefined> {
  return rowsOf(context, 'card_changes').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Whether the buyer may still be entering a card at the provider. */
export function isOpen({ status, expires_at }: CardChangeRow, { realNow }: Pick<Context, 'realNow'>): boolean {
  return (status === 'begun' || status === 'needs_buyer') && expires_at > realNow
}

export function savedMethod(method: string): SavedMethod {
  return JSON.parse(method) as SavedMethod
}

/** Returns a name such as `Visa ending in 4242`; null if no card is saved or the provider does not name it. */
export async function cardOf(context: Context, subscription: string): Promise<string | null> {
  const { method } = await requireRow(context, Subscription, subscription)
  return (method && savedMethod(method).card) || null
}
