import type { Context } from '../../records/context.ts'
import { findRows } from '../../records/records.ts'
import { Customer } from '../../resources/audience/customer/customer.ts'
import type { BuyerDraft, CustomerDraft } from '../drafts.ts'
import type { Memory } from '../memory.ts'
import { customersByEmail, makeCustomers } from './customers.ts'

interface Bought {
  buyer: BuyerDraft
  createdAt: string | null
}

/** Who bought, as customers: by address or by the source's id of the customer. Unknown addresses make customers; null is nobody. */
export async function buyersOf(
  context: Context,
  memory: Memory,
  drafts: readonly Bought[],
): Promise<{ customers: (string | null)[]; made: number }> {
  const emails = drafts.flatMap(({ buyer }) => (buyer.email === null ? [] : [buyer.email]))
  const known = await customersByEmail(context, memory, emails)
  const bySource = await byName(context, memory, drafts)
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

/** Customers that were deleted since are nobody. */
async function byName(context: Context, memory: Memory, drafts: readonly Bought[]): Promise<Map<string, string>> {
  const names = drafts.flatMap(({ buyer }) => (buyer.sourceId === null ? [] : [buyer.sourceId]))
  const found = await memory.recall(context, 'customer', names)
  if (memory.dry || found.size === 0) return found
  const rows = await findRows(context, Customer, found.values())
  return new Map([...found].filter(([, id]) => rows.has(id)))
}

function leadOf({ buyer: { email, name }, createdAt }: Bought): CustomerDraft {
  const blank = { first_name: null, last_name: null, phone_number: null, country: null, region: null, vat_id: null }
  return {
    ...blank,
    sourceId: email ?? '',
    createdAt,
    email: email ?? '',
    name: name?.slice(0, 200) ?? null,
    tags: [],
    metadata: {},
  }
}
