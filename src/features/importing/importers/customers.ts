import { ApiError } from '../../../contract/declarations/errors.ts'
import type { NewRow } from '../../../contract/declarations/noun.ts'
import { compileForIds, insertMany } from '../../../database/compile-once.ts'
import type { Context } from '../../../records/context.ts'
import { anyTable, findRows, insertRows } from '../../../records/records.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { Customer } from '../../../resources/audience/customer/customer.ts'
import { fillNames } from '../../../resources/audience/customer/write.ts'
import { Tag } from '../../../resources/audience/tag/tag.ts'
import { nameKey } from '../../../resources/audience/tag/write.ts'
import type { CustomerDraft, OrderDraft, SubscriptionDraft } from '../formats/format.ts'
import type { Remark } from '../formats/reading/reader.ts'
import { firstOfEach, type Item, idAt, type Memory, noOutcome, type Outcome, type Take } from './memory.ts'

/** Imports customers. A customer whose email exists already stays unchanged, and the source's id is mapped to that customer. */
export const takeCustomers: Take<CustomerDraft> = async (context, memory, items) => {
  const drafts = items.map(({ draft }) => draft)
  const names = drafts.map(({ sourceId }) => sourceId)
  const taken = await memory.recall(context, 'customer', names)
  const fresh = drafts.filter(({ sourceId }) => !taken.has(sourceId))
  const emails = fresh.map(({ email }) => email)
  const known = await customersByEmail(context, memory, emails)
  const unknown = firstOfEach(fresh, ({ email }) => email).filter(({ email }) => !known.has(email))
  const made = await makeCustomers(context, memory, unknown)
  const ids = new Map([...known, ...made])
  const meanings = fresh.map(({ sourceId, email }) => [sourceId, ids.get(email)!] as const)
  await memory.remember(context, 'customer', meanings)
  return {
    ...noOutcome(),
    ...{ made: made.size, existing: fresh.length - made.size, again: items.length - fresh.length },
  }
}

/** Returns the ids of customers by email. Unknown emails are absent. */
async function customersByEmail(
  context: Context,
  memory: Memory,
  emails: readonly string[],
): Promise<Map<string, string>> {
  const wanted = [...new Set(emails)]
  const found = await findByEmail(context.db, context.accountId, wanted)
  const planned = memory.dry ? await memory.recall(context, 'email', wanted) : []
  return new Map([...planned, ...found.map(({ email, id }) => [email, id] as const)])
}

const findByEmail = compileForIds((db: Context['db'], accountId, emails) =>
  rowsOf({ db, accountId }, 'customers').select(['email', 'id']).where('email', 'in', emails),
)

/** Creates customers as leads, and returns their ids by email. */
async function makeCustomers(
  context: Context,
  memory: Memory,
  drafts: readonly CustomerDraft[],
): Promise<Map<string, string>> {
  const ids = new Map(drafts.map((draft) => [draft.email, idAt(Customer, draft.createdAt ?? context.now)]))
  await memory.remember(context, 'email', memory.dry ? ids : [])
  if (memory.dry) return ids
  const rows = drafts.map((draft) => rowOf(draft, ids.get(draft.email)!))
  await insertRows(context, Customer, rows)
  await tag(context, drafts, ids)
  return ids
}

function rowOf(draft: CustomerDraft, id: string): NewRow<typeof Customer> {
  const { email, phone_number, country, region, vat_id, metadata, createdAt } = draft
  return {
    ...{ id, email, phone_number, country, region, vat_id, metadata, ...namesOf(draft) },
    ...{ customer_type: 'lead', orders_count: 0, total_spend: 0, lead_announced: true },
    ...(createdAt !== null && { created_at: createdAt }),
  }
}

/** Leaves out the full name if it contradicts the first and last name. */
function namesOf({ name, first_name, last_name }: Pick<CustomerDraft, 'name' | 'first_name' | 'last_name'>) {
  const parts = { ...(first_name !== null && { first_name }), ...(last_name !== null && { last_name }) }
  try {
    return fillNames(name === null ? parts : { name, ...parts })
  } catch (error) {
    if (error instanceof ApiError) return fillNames(parts)
    throw error
  }
}

async function tag(context: Context, drafts: readonly CustomerDraft[], ids: Map<string, string>): Promise<void> {
  const names = new Map(drafts.flatMap(({ tags }) => tags.map((name) => [nameKey(name), name] as const)))
  if (names.size === 0) return
  const tags = await tagsNamed(context, names)
  const links = drafts.flatMap(({ email, tags: given }) =>
    [...new Set(given.map((name) => tags.get(nameKey(name))!))].map((tag_id) => ({
      ...{ account_id: context.accountId, customer_id: ids.get(email)!, tag_id },
    })),
  )
  await insertMany(anyTable(context), 'customer_tags', links, ['account_id', 'customer_id', 'tag_id'])
}

async function tagsNamed(context: Context, names: ReadonlyMap<string, string>): Promise<Map<string, string>> {
  const found = await findTags(context.db, context.accountId, [...names.keys()])
  const known = new Map(found.map(({ name_key, id }) => [name_key, id]))
  const missing = [...names].filter(([key]) => !known.has(key)).map(([name_key, name]) => ({ name, name_key }))
  const made = await insertRows(context, Tag, missing)
  return new Map([...known, ...made.map(({ name_key, id }) => [name_key, id] as const)])
}

const findTags = compileForIds((db: Context['db'], accountId, keys) =>
  rowsOf({ db, accountId }, 'tags').select(['name_key', 'id']).where('name_key', 'in', keys),
)

type Sale = OrderDraft | SubscriptionDraft
type Purchase = Pick<Sale, 'buyer' | 'createdAt'>

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

function unknownBuyer({ line, draft: { buyer } }: Item<Sale>): Remark {
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
