import { ApiError, invalid } from '../../../contract/declarations/errors.ts'
import type { Changes, CreateInput } from '../../../contract/declarations/noun.ts'
import { cut } from '../../../contract/values/values.ts'
import { decode } from '../../../records/columns.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow, deleteRow } from '../../../records/records.ts'
import { deleteRowsOf, rowsOf, updateRowsOf } from '../../../records/rows-of.ts'
import { insertUnique, requireUnique } from '../../../records/unique.ts'
import { Review } from '../../catalog/review/review.ts'
import { changedPlace, isSamePlace } from '../../sales/checkout/tax/given.ts'
import { NO_PLACE } from '../../sales/checkout/tax/terms.ts'
import { taxSubscriptionsAt } from '../../sales/subscription/tax.ts'
import { idsOfTags } from '../tag/write.ts'
import { Customer, type CustomerRow, MAX_NAME, MAX_PART } from './customer.ts'
import { attachTags, detachCustomer, detachTags, tagsByCustomer } from './tag-links.ts'

/** Creates a customer as a lead. If `announced` is false, `announceLead` emits `lead.created` later. */
export async function createCustomer(
  context: Context,
  input: CreateInput<typeof Customer>,
  { announced = true }: { announced?: boolean } = {},
): Promise<CustomerRow> {
  const { tags = [], ...values } = fillNames(input)
  changedPlace(NO_PLACE, values)
  const counted = { orders_count: 0, total_spend: 0 }
  const lead = { ...values, ...counted, customer_type: 'lead' as const, lead_announced: announced }
  const customer = await insertUnique(context, Customer, lead, 'email', 'email')
  await setTags(context, customer.id, tags, 'replace')
  context.emit(Customer, 'created', customer)
  if (announced) context.emit(Customer, 'lead.created', customer)
  return customer
}

/** Emits the `lead.created` event that `createCustomer` postponed, at most once. */
export async function announceLead(context: Context, customer: CustomerRow): Promise<void> {
  if (customer.lead_announced) return
  const announced = await changeRow(context, Customer, customer, { lead_announced: true })
  if (announced.customer_type === 'lead') context.emit(Customer, 'lead.created', announced)
}

export async function updateCustomer(
  context: Context,
  customer: CustomerRow,
  changes: Changes<typeof Customer>,
): Promise<CustomerRow> {
  if (changes.email !== undefined && changes.email !== customer.email)
    await requireUnique(context, Customer, ['email', changes.email], 'email')
  const { tags, ...named } = fillNames(changes, customer)
  const place = changedPlace(customer, changes)
  const moved = !isSamePlace(customer, place)
  const values = moved ? { ...named, ...place } : named
  const retagged = tags !== undefined && (await setTags(context, customer.id, tags ?? [], 'replace'))
  const touched = retagged ? { updated_at: context.now } : {}
  const changed = await changeRow(context, Customer, customer, { ...values, ...touched })
  if (moved) await taxSubscriptionsAt(context, customer.id, place)
  return context.emit(Customer, 'updated', changed)
}

export async function deleteCustomer(context: Context, customer: CustomerRow): Promise<void> {
  const held = await whatHolds(context, customer)
  if (held !== null) throw new ApiError('resource_in_use', `This customer has ${held} and cannot be deleted.`)
  await detachRows(context, customer.id)
  await detachCustomer(context, customer.id)
  await detachReviews(context, customer.id)
  await forgetLetters(context, customer.id)
  await deleteRow(context, Customer, customer)
  context.emit(Customer, 'deleted', customer)
}

/** Returns what prevents the deletion of a customer, or null. Subscriptions need no check, because they begin with an order. */
async function whatHolds(context: Context, { id, orders_count }: CustomerRow): Promise<string | null> {
  const order = rowsOf(context, 'orders').select('id').where('customer', '=', id).limit(1)
  if (orders_count > 0 || (await order.executeTakeFirst())) return 'orders'
  const unpaid = rowsOf(context, 'invoices').select('id').where('customer', '=', id)
  return (await unpaid.where('status', 'in', ['open', 'past_due']).limit(1).executeTakeFirst())
    ? 'unpaid invoices'
    : null
}

/** Removes the customer from void invoices, carts and submissions, which stay. */
async function detachRows(context: Context, customerId: string): Promise<void> {
  await updateRowsOf(context, 'invoices').set({ customer: null }).where('customer', '=', customerId).execute()
  await updateRowsOf(context, 'checkouts').set({ customer: null }).where('customer', '=', customerId).execute()
  const submissions = updateRowsOf(context, 'form_submissions').where('respondent', '=', customerId)
  await submissions.set({ respondent: null }).execute()
}

/** Deletes the contents of a customer's e-mails. The records of their sending and delivery stay. */
async function forgetLetters(context: Context, customerId: string): Promise<void> {
  const own = rowsOf(context, 'emails').select('id').where('customer', '=', customerId)
  await deleteRowsOf(context, 'email_bodies').where('id', 'in', own).execute()
}

async function detachReviews(context: Context, customerId: string): Promise<void> {
  const raw = await rowsOf(context, 'reviews').selectAll().where('customer', '=', customerId).execute()
  const reviews = raw.map((row) => decode(Review, row))
  await context.remember(Review, reviews)
  for (const review of reviews) {
    context.emit(Review, 'updated', await changeRow(context, Review, review, { customer: null }))
  }
}

type TagMode = 'add' | 'replace' | 'remove'

/**
 * Adds, replaces or removes a customer's tags, given by name or id. Unknown names are created, except for removal. Throws a 404
 * for an unknown id. Returns whether the tags changed.
 */
export async function setTags(context: Context, customerId: string, given: string[], mode: TagMode): Promise<boolean> {
  const wanted = await idsOfTags(context, given, { known: mode === 'remove' })
  if (mode === 'add') return attachTags(context, customerId, wanted)
  if (mode === 'remove') return detachTags(context, customerId, wanted)
  const present = (await tagsByCustomer(context, [customerId])).get(customerId) ?? []
  const surplus = present.filter((id) => !wanted.includes(id))
  const detached = await detachTags(context, customerId, surplus)
  return (await attachTags(context, customerId, wanted)) || detached
}

export async function tagCustomer(
  context: Context,
  customer: CustomerRow,
  { tags, mode }: { tags: string[]; mode: TagMode },
): Promise<CustomerRow> {
  if (!(await setTags(context, customer.id, tags, mode))) return customer
  return context.emit(Customer, 'updated', await changeRow(context, Customer, customer, { updated_at: context.now }))
}

interface NameFields {
  name?: string | null
  first_name?: string | null
  last_name?: string | null
}

interface NameParts {
  first_name: string | null
  last_name: string | null
}

/**
 * Derives `name` from its parts, or the parts from `name`, which is split at its first space. If a change contains only one part,
 * the other comes from `present`, the stored customer. Throws a 422 if name and parts contradict each other.
 */
export function fillNames<Input extends NameFields>(given: Input, present: NameFields = {}): Input {
  const { name, first_name, last_name } = given
  const parts = { first_name: first_name ?? null, last_name: last_name ?? null }
  const givesPart = parts.first_name !== null || parts.last_name !== null
  if (name === null && !givesPart) return { ...given, ...parts }
  if (typeof name === 'string') return { ...given, ...fitting(name, parts) }
  if (first_name === undefined && last_name === undefined) return given
  return { ...given, name: joined({ ...present, ...given }) }
}

/** Splits a name into parts that match the given ones. Extra spaces between words are ignored. */
function fitting(name: string, given: NameParts): NameParts {
  const text = spaced(name)
  const { first_name: first, last_name: last } = given
  const own = split(text)
  if ((first ?? own.first_name) === own.first_name && (last ?? own.last_name) === own.last_name) return own
  if (first !== null && last !== null) {
    if (text === joined(given)) return given
    throw invalid({ name: [`does not match first_name and last_name, which make it ${JSON.stringify(joined(given))}`] })
  }
  const words = ` ${text} `
  if (first !== null && words.startsWith(` ${spaced(first)} `))
    return { ...given, last_name: part(text.slice(spaced(first).length)) }
  if (last !== null && words.endsWith(` ${spaced(last)} `))
    return { ...given, first_name: part(text.slice(0, -spaced(last).length)) }
  throw invalid({
    name: [
      first !== null
        ? `must begin with first_name, ${JSON.stringify(first)}`
        : `must end with last_name, ${JSON.stringify(last)}`,
    ],
  })
}

function split(text: string): NameParts {
  const [first = ''] = text.split(' ', 1)
  return { first_name: part(first), last_name: part(text.slice(first.length)) }
}

function part(text: string): string | null {
  return cut(text.trim(), MAX_PART) || null
}

function joined({ first_name, last_name }: NameFields): string | null {
  return cut(spaced(`${first_name ?? ''} ${last_name ?? ''}`), MAX_NAME) || null
}

function spaced(text: string): string {
  return text.split(/\s+/).filter(Boolean).join(' ')
}
