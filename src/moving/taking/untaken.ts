import type { Context } from '../../records/context.ts'
import type { OrderDraft, SubscriptionDraft } from '../drafts.ts'
import type { Memory } from '../memory.ts'
import type { Item, Outcome, Refusal } from '../outcome.ts'
import { buyersOf } from './buyers.ts'

type Sale = OrderDraft | SubscriptionDraft

/** The sales that no earlier import has taken, with their customers. The outcome notes what is left out, and who is new. */
export async function untakenSales<Draft extends Sale>(
  context: Context,
  memory: Memory,
  { kind, items, outcome }: { kind: 'order' | 'subscription'; items: readonly Item<Draft>[]; outcome: Outcome },
): Promise<{ draft: Draft; customer: string }[]> {
  const names = items.map(({ draft }) => draft.sourceId)
  const taken = await memory.recall(context, kind, names)
  const fresh = items.filter(({ draft }) => !taken.has(draft.sourceId))
  outcome.again += items.length - fresh.length
  const drafts = fresh.map(({ draft }) => draft)
  const { customers, made } = await buyersOf(context, memory, drafts)
  outcome.customers = made
  return fresh.flatMap((item, index) => {
    const customer = customers[index] ?? null
    if (customer !== null) return [{ draft: item.draft, customer }]
    outcome.refused.push(unknownBuyer(item))
    return []
  })
}

function unknownBuyer({ line, draft: { buyer } }: Item<Sale>): Refusal {
  const message = 'is no customer that is here: import the file of customers first'
  return { line, column: 'Customer', value: buyer.sourceId ?? '', message }
}
