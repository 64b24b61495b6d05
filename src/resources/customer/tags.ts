import { sql } from 'kysely'
import { invalid, missingResource } from '../../contract/errors.ts'
import type { Context } from '../../records/context.ts'
import { findRows } from '../../records/records.ts'
import { createTag, Tag, tagNamed } from '../tag.ts'

/** The table behind `customer.tags`. */
export interface CustomerTag {
  account_id: string
  customer_id: string
  tag_id: string
}

declare module '../../records/tables.ts' {
  interface Tables {
    customer_tags: CustomerTag
  }
}

export type TagMode = 'add' | 'replace' | 'remove'

/** Ids of the tags of each customer, oldest tag first. */
export async function tagsByCustomer(context: Context, customerIds: string[]): Promise<Map<string, string[]>> {
  const byCustomer = new Map<string, string[]>(customerIds.map((id) => [id, []]))
  if (customerIds.length === 0) return byCustomer
  const query = context.db
    .selectFrom('customer_tags')
    .select(['customer_id', 'tag_id'])
    .where('account_id', '=', context.accountId)
  const links = await query.where('customer_id', 'in', customerIds).orderBy('tag_id').execute()
  for (const link of links) byCustomer.get(link.customer_id)!.push(link.tag_id)
  return byCustomer
}

export async function countByTag(context: Context, tagIds: string[]): Promise<Map<string, number>> {
  if (tagIds.length === 0) return new Map()
  const query = context.db
    .selectFrom('customer_tags')
    .where('account_id', '=', context.accountId)
    .where('tag_id', 'in', tagIds)
  const counts = await query
    .select(['tag_id', sql<number>`count(*)`.as('count')])
    .groupBy('tag_id')
    .execute()
  return new Map(counts.map(({ tag_id, count }) => [tag_id, Number(count)]))
}

/**
 * Adds, replaces or removes tags given by name or id; unknown names are created, except to be removed. A 404 for an
 * unknown id. Tells whether anything changed.
 */
export async function setTags(context: Context, customerId: string, given: string[], mode: TagMode): Promise<boolean> {
  const wanted = new Set(await tagIds(context, given, mode))
  const present = new Set((await tagsByCustomer(context, [customerId])).get(customerId))
  const attach = mode === 'remove' ? [] : [...wanted].filter((id) => !present.has(id))
  const detach = mode === 'add' ? [] : [...present].filter((id) => wanted.has(id) === (mode === 'remove'))
  const link = { account_id: context.accountId, customer_id: customerId }
  if (attach.length > 0)
    await context.db
      .insertInto('customer_tags')
      .values(attach.map((id) => ({ ...link, tag_id: id })))
      .execute()
  if (detach.length > 0) {
    const links = context.db.deleteFrom('customer_tags').where('account_id', '=', context.accountId)
    await links.where('customer_id', '=', customerId).where('tag_id', 'in', detach).execute()
  }
  return attach.length + detach.length > 0
}

export async function detachTag(context: Context, tagId: string): Promise<void> {
  await context.db
    .deleteFrom('customer_tags')
    .where('account_id', '=', context.accountId)
    .where('tag_id', '=', tagId)
    .execute()
}

export async function detachCustomer(context: Context, customerId: string): Promise<void> {
  const links = context.db.deleteFrom('customer_tags').where('account_id', '=', context.accountId)
  await links.where('customer_id', '=', customerId).execute()
}

async function tagIds(context: Context, given: string[], mode: TagMode): Promise<string[]> {
  const byId = await findRows(context, Tag, given.filter(Tag.isId))
  const ids: string[] = []
  for (const [index, one] of given.entries()) {
    if (Tag.isId(one)) {
      if (!byId.has(one)) throw missingResource('tag', `tags.${index}`)
      ids.push(one)
    } else {
      if (one.length > 50) throw invalid({ [`tags.${index}`]: ['is too long (maximum is 50 characters)'] })
      const tag = (await tagNamed(context, one)) ?? (mode === 'remove' ? null : await createTag(context, { name: one }))
      if (tag) ids.push(tag.id)
    }
  }
  return ids
}
