import { sql } from 'kysely'
import type { Context } from '../../../records/context.ts'
import { deleteRowsOf, rowsOf } from '../../../records/rows-of.ts'

/** Ids of the tags of each customer, oldest tag first. */
export async function tagsByCustomer(context: Context, customerIds: string[]): Promise<Map<string, string[]>> {
  const byCustomer = new Map<string, string[]>(customerIds.map((id) => [id, []]))
  if (customerIds.length === 0) return byCustomer
  const query = rowsOf(context, 'customer_tags').select(['customer_id', 'tag_id'])
  const links = await query.where('customer_id', 'in', customerIds).orderBy('tag_id').execute()
  for (const link of links) byCustomer.get(link.customer_id)!.push(link.tag_id)
  return byCustomer
}

export async function countByTag(context: Context, tagIds: string[]): Promise<Map<string, number>> {
  if (tagIds.length === 0) return new Map()
  const counts = await rowsOf(context, 'customer_tags')
    .where('tag_id', 'in', tagIds)
    .select(['tag_id', sql<number>`count(*)`.as('count')])
    .groupBy('tag_id')
    .execute()
  return new Map(counts.map(({ tag_id, count }) => [tag_id, Number(count)]))
}

export async function attachTags(context: Context, customerId: string, tagIds: string[]): Promise<void> {
  if (tagIds.length === 0) return
  const link = { account_id: context.accountId, customer_id: customerId }
  await context.db
    .insertInto('customer_tags')
    .values(tagIds.map((id) => ({ ...link, tag_id: id })))
    .execute()
}

export async function detachTags(context: Context, customerId: string, tagIds: string[]): Promise<void> {
  if (tagIds.length === 0) return
  const links = deleteRowsOf(context, 'customer_tags').where('customer_id', '=', customerId)
  await links.where('tag_id', 'in', tagIds).execute()
}

/** Takes a tag off every customer. */
export async function detachTag(context: Context, tagId: string): Promise<void> {
  await deleteRowsOf(context, 'customer_tags').where('tag_id', '=', tagId).execute()
}

/** Takes every tag off a customer. */
export async function detachCustomer(context: Context, customerId: string): Promise<void> {
  await deleteRowsOf(context, 'customer_tags').where('customer_id', '=', customerId).execute()
}
