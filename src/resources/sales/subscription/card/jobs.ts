import type { CollectRequest, PaymentOutcome } from '../../../../providers/payments/provider.ts'
import type { Context } from '../../../../records/context.ts'
import { type JobContext, job } from '../../../../records/job.ts'
import { NO_CARDS, unlessLost } from '../../payment/provider.ts'
import { type CardChangeRow, findChange } from './find.ts'
import { settleChange } from './settle.ts'

export interface CardRequest extends Omit<CollectRequest, 'accountId' | 'key' | 'signal' | 'card'> {
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
