import type { CollectRequest, PaymentOutcome } from '../../../../outside/payments/provider.ts'
import type { Context } from '../../../../records/context.ts'
import { type JobPlace, job } from '../../../../records/job.ts'
import { type CardChangeRow, findChange } from './find.ts'
import { settleChange } from './settle.ts'

/** What the provider is asked. */
export interface Asking extends Omit<CollectRequest, 'accountId' | 'key' | 'signal' | 'card'> {
  change: string
}

/** Asks the provider for a page on which the buyer enters another card. */
export const askForCard = job<Asking>('card_change.ask', {
  work: (place, { change: id, ...request }) =>
    ask(place, id, ({ provider }) => {
      const { accountId, services, signal } = place
      return services.payments.named(provider).collect({ accountId, key: id, ...request, signal })
    }),
})

/** Asks the provider what became of it, for a buyer who comes back before its notice. */
export const lookUpCard = job<{ change: string }>('card_change.look_up', {
  work: (place, { change: id }) =>
    ask(place, id, ({ provider, reference }) => {
      const { accountId, services, signal } = place
      if (reference === null) return null
      return services.payments.named(provider).lookUp({ accountId, key: id, reference, signal })
    }),
})

async function ask(
  place: JobPlace,
  id: string,
  request: (change: CardChangeRow) => Promise<PaymentOutcome> | null,
): Promise<void> {
  const change = await place.read((context: Context) => findChange(context, id))
  if (!change || change.status === 'saved' || change.status === 'failed') return
  const outcome = await request(change)
  if (outcome) await place.transaction((context) => settleChange(context, id, outcome), { inTurn: true })
}
