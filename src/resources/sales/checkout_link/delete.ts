import type { Row } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import { deleteRow } from '../../../records/records.ts'
import { CheckoutLink } from './checkout_link.ts'

export async function deleteCheckoutLink(context: Context, link: Row<typeof CheckoutLink>): Promise<void> {
  await deleteRow(context, CheckoutLink, link)
  context.emit(CheckoutLink, 'deleted', link)
}
