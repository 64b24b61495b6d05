import type { Context } from '../../../records/context.ts'
import { deleteRow } from '../../../records/records.ts'
import { CheckoutLink, type CheckoutLinkRow } from './checkout_link.ts'

export async function deleteCheckoutLink(context: Context, link: CheckoutLinkRow): Promise<void> {
  await deleteRow(context, CheckoutLink, link)
  context.emit(CheckoutLink, 'deleted', link)
}
