import { ApiError } from '../../../contract/errors.ts'
import type { Row } from '../../../contract/noun.ts'
import { decode } from '../../../records/columns.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow, deleteRow } from '../../../records/records.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { Review } from '../../catalog/review/review.ts'
import { Customer } from './customer.ts'
import { detachCustomer } from './tag_links.ts'

export async function deleteCustomer(context: Context, customer: Row<typeof Customer>): Promise<void> {
  if (customer.orders_count > 0) {
    throw new ApiError('resource_in_use', 'This customer has orders and cannot be deleted.')
  }
  if (await hasSubscriptions(context, customer.id)) {
    throw new ApiError('resource_in_use', 'This customer has subscriptions and cannot be deleted.')
  }
  await detachCustomer(context, customer.id)
  await detachReviews(context, customer.id)
  await deleteRow(context, Customer, customer)
  context.emit(Customer, 'deleted', customer)
}

async function hasSubscriptions(context: Context, customerId: string): Promise<boolean> {
  const one = rowsOf(context, 'subscriptions').select('id').where('customer', '=', customerId).limit(1)
  return (await one.executeTakeFirst()) !== undefined
}

async function detachReviews(context: Context, customerId: string): Promise<void> {
  const raw = await rowsOf(context, 'reviews').selectAll().where('customer', '=', customerId).execute()
  const reviews = raw.map((row) => decode<Row<typeof Review>>(Review, row))
  await context.remember(Review, reviews)
  for (const review of reviews) {
    context.emit(Review, 'updated', await changeRow(context, Review, review, { customer: null }))
  }
}
