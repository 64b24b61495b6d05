import { sql } from 'kysely'
import { insertSeveral } from '../../../database/compile-once.ts'
import type { Context } from '../../../records/context.ts'
import { invalidateOnly, memoizeEach, prime, questionOf } from '../../../records/memoize.ts'
import { deleteRowsOf, rowsOf, send } from '../../../records/rows-of.ts'
import type { Tables } from '../../tables.ts'

/** Returns the ids of each customer's tags, oldest tag first. */
export async function tagsByCustomer(context: Context, customerIds: string[]): Promise<Map<string, string[]>> {
  const links = await memoizeEach(context, TAGS, customerIds, (ids) => linksByCustomer(context, ids))
  return new Map(customerIds.map((id) => [id, (links.get(id) ?? []).map((link) => link.tag_id)]))
}

type TagLink = Pick<Tables['customer_tags'], 'customer_id' | 'tag_id'>

async function linksByCustomer(context: Context, customerIds: string[]): Promise<Map<string, TagLink[]>> {
  const query = rowsOf(context, 'customer_tags').select(['customer_id', 'tag_id'])
  // Sorts by the whole primary key, because SQLite would read the links of all customers to sort by the tag alone.
  const links = await query.where('customer_id', 'in', customerIds).orderBy('customer_id').orderBy('tag_id').execute()
  return Map.groupBy(links, (link) => link.customer_id)
}

const TAGS = { what: 'tags of', tables: ['customer_tags'] as const }

/** Caches that a new customer has no tags, which saves a query. */
export function knowTagless(context: Context, customerId: string): void {
  prime<TagLink[]>(context, questionOf(TAGS, customerId), [])
}

export async function countByTag(context: Context, tagIds: string[]): Promise<Map<string, number>> {
  if (tagIds.length === 0) return new Map()
  const counts = await rowsOf(context, 'customer_tags_counts')
    .where('tag_id', 'in', tagIds)
    .select(['tag_id', sql<number>`sum(customers)`.as('count')])
    .groupBy('tag_id')
    .execute()
  return new Map(counts.map(({ tag_id, count }) => [tag_id, count]))
}

const LINK = ['account_id', 'customer_id', 'tag_id']

/** Adds tags to a customer. Returns whether any of them is new. Concurrent transactions that add the same tag conflict. */
export async function attachTags(context: Context, customerId: string, tagIds: string[]): Promise<boolean> {
  if (tagIds.length === 0) return false
  const present = (await tagsByCustomer(context, [customerId])).get(customerId) ?? []
  const missing = tagIds.filter((id) => !present.includes(id))
  if (missing.length === 0) return false
  const links = missing.map((id) => ({ account_id: context.accountId, customer_id: customerId, tag_id: id }))
  const question = questionOf(TAGS, customerId)
  await invalidateOnly(context, question, () => insertSeveral(context.db, 'customer_tags', links, { taken: LINK }))
  const all = [...present, ...missing].sort()
  prime<TagLink[]>(
    context,
    question,
    all.map((id) => ({ customer_id: customerId, tag_id: id })),
  )
  return true
}

/** Removes tags from a customer. Returns whether the customer had any of them. */
export async function detachTags(context: Context, customerId: string, tagIds: string[]): Promise<boolean> {
  if (tagIds.length === 0) return false
  const links = deleteRowsOf(context, 'customer_tags').where('customer_id', '=', customerId)
  const { numDeletedRows } = await links.where('tag_id', 'in', tagIds).executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

export async function detachTag(context: Context, tagId: string): Promise<void> {
  await deleteRowsOf(context, 'customer_tags').where('tag_id', '=', tagId).execute()
  await send(context, deleteRowsOf(context, 'customer_tags_counts').where('tag_id', '=', tagId))
}

export async function detachCustomer(context: Context, customerId: string): Promise<void> {
  await deleteRowsOf(context, 'customer_tags').where('customer_id', '=', customerId).execute()
}
