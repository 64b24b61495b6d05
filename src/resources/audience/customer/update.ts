import type { Changes } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow } from '../../../records/records.ts'
import { requireUnique } from '../../../records/unique.ts'
import { changedPlace, isSamePlace } from '../../sales/checkout/tax/given.ts'
import { taxSubscriptionsAt } from '../../sales/subscription/tax.ts'
import { Customer, type CustomerRow } from './customer.ts'
import { fillNames } from './names.ts'
import { setTags } from './set_tags.ts'

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
  context.emit(Customer, 'updated', changed)
  return changed
}
