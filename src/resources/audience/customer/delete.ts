import { ApiError } from '../../../contract/declarations/errors.ts'
import { decode } from '../../../records/columns.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow, deleteRow } from '../../../records/records.ts'
import { deleteRowsOf, rowsOf, updateRowsOf } from '../../../records/rows-of.ts'
import { Review, type ReviewRow } from '../../catalog/review/review.ts'
import { Customer, type CustomerRow } from './customer.ts'
import { detachCustomer } from './tag_links.ts'

export async function deleteCustomer(context: Context, customer: CustomerRow): Promise<void> {
  const held = await whatHolds(context, customer)
  if (held !== null) throw new ApiError('resource_in_use', `This customer has ${held} and cannot be deleted.`)
  await detachSales(context, customer.id)
  await detachCustomer(context, customer.id)
  await detachReviews(context, customer.id)
  await detachSubmissions(context, customer.id)
  await forgetLetters(context, customer.id)
  await deleteRow(context, Customer, customer)
  context.emit(Customer, 'deleted', customer)
}

/** What a customer has that keeps it, in words, or null. Subscriptions begin with an order. */
async function whatHolds(context: Context, { id, orders_count }: CustomerRow): Promise<string | null> {
  const order = rowsOf(context, 'orders').select('id').where('customer', '=', id).limit(1)
  if (orders_count > 0 || (await order.executeTakeFirst())) return 'orders'
  const unpaid = rowsOf(context, 'invoices').select('id').where('customer', '=', id)
  return (await unpaid.where('status', 'in', ['open', 'past_due']).limit(1).executeTakeFirst())
    ? 'unpaid invoices'
    : null
}

/** Void invoices and carts stay, without their customer. */
async function detachSales(context: Context, customerId: string): Promise<void> {
  await updateRowsOf(context, 'invoices').set({ customer: null }).where('customer', '=', customerId).execute()
  await updateRowsOf(context, 'checkouts').set({ customer: null }).where('customer', '=', customerId).execute()
}

/** What was submitted stays, without its customer. */
async function detachSubmissions(context: Context, customerId: string): Promise<void> {
  const submissions = updateRowsOf(context, 'form_submissions').where('respondent', '=', customerId)
  await submissions.set({ respondent: null }).execute()
}

/** What was written to the customer goes; that something was sent, and whether it arrived, is kept as long as of others. */
async function forgetLetters(context: Context, customerId: string): Promise<void> {
  const own = rowsOf(context, 'emails').select('id').where('customer', '=', customerId)
  await deleteRowsOf(context, 'email_bodies').where('id', 'in', own).execute()
}

async function detachReviews(context: Context, customerId: string): Promise<void> {
  const raw = await rowsOf(context, 'reviews').selectAll().where('customer', '=', customerId).execute()
  const reviews = raw.map((row) => decode<ReviewRow>(Review, row))
  await context.remember(Review, reviews)
  for (const review of reviews) {
    context.emit(Review, 'updated', await changeRow(context, Review, review, { customer: null }))
  }
}
