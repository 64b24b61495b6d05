import { sql } from 'kysely'
import type { Context } from '../../../records/context.ts'
import { knowing, readOnce } from '../../../records/read-once.ts'
import { deleteRowsOf, rowsOf } from '../../../records/rows-of.ts'

/** Ids of the tags of each customer, oldest tag first. */
export async function tagsByCustomer(context: Context, customerIds: string[]): Promise<Map<string, string[]>> {
  const byCustomer = new Map<string, string[]>(customerIds.map((id) => [id, []]))
  if (customerIds.length === 0) return byCustomer
  const links = await readOnce(context, linksOf(customerIds), () => linksByCustomer(context, customerIds))
  for (const link of links) byCustomer.get(link.customer_id)!.push(link.tag_id)
  return byCustomer
}

interface Link {
  customer_id: string
  tag_id: string
}

function linksByCustomer(context: Context, customerIds: string[]): Promise<Link[]> {
  const query = rowsOf(context, 'customer_tags').select(['customer_id', 'tag_id'])
  return query.where('customer_id', 'in', customerIds).orderBy('tag_id').execute()
}

function linksOf(customerIds: string[]) {
  return { name: `tags of ${customerIds}`, tables: ['customer_tags'] as const }
}

/** A customer who was just made has no tags, so nobody need look. */
export function knowTagless(context: Context, customerId: string): void {
  knowing<Link[]>(context, linksOf([customerId]), [])
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

/** Gives a customer tags. Says whether any of them is new to the customer. */
export async function attachTags(context: Context, customerId: string, tagIds: string[]): Promise<boolean> {
  if (tagIds.length === 0) return false
  const link = { account_id: context.accountId, customer_id: customerId }
  const { numInsertedOrUpdatedRows = 0n } = await context.db
    .insertInto('customer_tags')
    .values(tagIds.map((id) => ({ ...link, tag_id: id })))
    .onConflict((known) => known.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows > 0n
}

/** Takes tags off a customer. Says whether the customer had any of them. */
export async function detachTags(context: Context, customerId: string, tagIds: string[]): Promise<boolean> {
  if (tagIds.length === 0) return false
  const links = deleteRowsOf(context, 'customer_tags').where('customer_id', '=', customerId)
  const { numDeletedRows } = await links.where('tag_id', 'in', tagIds).executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** Takes a tag off every customer. */
export async function detachTag(context: Context, tagId: string): Promise<void> {
  await deleteRowsOf(context, 'customer_tags').where('tag_id', '=', tagId).execute()
}

/** Takes every tag off a customer. */
export async function detachCustomer(context: Context, customerId: string): Promise<void> {
  await deleteRowsOf(context, 'customer_tags').where('customer_id', '=', customerId).execute()
}
