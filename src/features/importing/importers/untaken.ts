import type { Context } from '../../../records/context.ts'
import { findRows } from '../../../records/records.ts'
import { Customer } from '../../../resources/audience/customer/customer.ts'
import type { BuyerDraft, CustomerDraft, OrderDraft, SubscriptionDraft } from '../formats/format.ts'
import { customersByEmail, makeCustomers } from './customers.ts'
import type { Item, Memory, Outcome, Refusal } from './memory.ts'

interface Purchase {
  buyer: BuyerDraft
  createdAt: string | null
}

type Sale = OrderDraft | SubscriptionDraft

/** Returns sales that were not imported before, with their customers' ids. Counts the others, and new customers, in the outcome. */
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

/** Creates customers with unknown emails. Returns null for buyers without an email whose source id is unknown. */
async function buyersOf(
  context: Context,
  memory: Memory,
  drafts: readonly Purchase[],
): Promise<{ customers: (string | null)[]; made: number }> {
  const emails = drafts.flatMap(({ buyer }) => (buyer.email === null ? [] : [buyer.email]))
  const known = await customersByEmail(context, memory, emails)
  const bySource = await customersBySourceId(context, memory, drafts)
  const unknown = drafts.filter(
    ({ buyer: { email, sourceId } }) => email !== null && !known.has(email) && !bySource.has(sourceId ?? ''),
  )
  const leads = new Map(unknown.map(leadOf).map((lead) => [lead.email, lead]))
  const made = await makeCustomers(context, memory, [...leads.values()])
  const customers = drafts.map(
    ({ buyer: { email, sourceId } }) =>
      known.get(email ?? '') ?? bySource.get(sourceId ?? '') ?? made.get(email ?? '') ?? null,
  )
  return { customers, made: made.size }
}

/** Returns our customer ids by those of the source, without customers that were deleted after their import. */
async function customersBySourceId(
  context: Context,
  memory: Memory,
  drafts: readonly Purchase[],
): Promise<Map<string, string>> {
  const names = drafts.flatMap(({ buyer }) => (buyer.sourceId === null ? [] : [buyer.sourceId]))
  const found = await memory.recall(context, 'customer', names)
  if (memory.dry || found.size === 0) return found
  const rows = await findRows(context, Customer, found.values())
  return new Map([...found].filter(([, id]) => rows.has(id)))
}

function leadOf({ buyer: { email, name }, createdAt }: Purchase): CustomerDraft {
  const blank = { first_name: null, last_name: null, phone_number: null, country: null, region: null, vat_id: null }
  const known = { sourceId: email ?? '', email: email ?? '', name: name?.slice(0, 200) ?? null, createdAt }
  return { ...blank, ...known, tags: [], metadata: {} }
}
