import type { Row } from '../../contract/declarations/noun.ts'
import type { Context } from '../../records/context.ts'
import { requireRow } from '../../records/records.ts'
import { accessUrl, boughtFileUrl, experiencesOf, filesIn } from '../../resources/content/experience/access.ts'
import type { Experience } from '../../resources/content/experience/experience.ts'
import { Checkout } from '../../resources/sales/checkout/checkout.ts'
import { itemsByOrder } from '../../resources/sales/order/items.ts'
import { Order } from '../../resources/sales/order/order.ts'
import { partiesOf } from '../../resources/sales/payment/parties.ts'
import type { Payment } from '../../resources/sales/payment/payment.ts'

/** Returns the receipt of a payment by x402. It gives access to the purchases of this order, but to nothing else of the customer. */
export async function receiptOf(context: Context, payment: Row<typeof Payment>) {
  const { id, status, amount, currency, paid_at, ...order } = await requireRow(context, Order, payment.order_id)
  const { amount_tax, tax_inclusive, tax_lines, reverse_charge, country, region, vat_id } = order
  const tax = { amount_tax, tax_inclusive, tax_lines, reverse_charge, country, region, vat_id }
  const { id: checkout, email } = await requireRow(context, Checkout, payment.checkout!)
  const items = (await itemsByOrder([id], context)).get(id) ?? []
  const line_items = items.map(({ product_name, price_variant_name, quantity, amount: of, ...item }) => ({
    ...{ product_name, price_variant_name, quantity, amount: of },
    ...(country !== null && { amount_tax: item.amount_tax, tax_code: item.tax_code }),
  }))
  return {
    object: 'x402_receipt',
    checkout,
    order: { id, status, amount, currency, paid_at, ...(country !== null && tax), line_items },
    payment: { ...partiesOf(payment), transaction: payment.reference },
    receipt_sent_to: email,
    access: await accessOf(context, id),
  }
}

/** Returns the receipt for readers without the secret in the terms. It shows the order and the facts that are public on the blockchain. */
export async function publicReceiptOf(context: Context, payment: Row<typeof Payment>) {
  const { id, status, amount, currency, paid_at } = await requireRow(context, Order, payment.order_id)
  return {
    object: 'x402_receipt',
    order: { id, status, amount, currency, paid_at },
    payment: { ...partiesOf(payment), transaction: payment.reference },
    access: null,
    message: HOW_TO_SEE_RECEIPT,
  }
}

const HOW_TO_SEE_RECEIPT =
  'Send the extensions of the terms that you signed, too, to see all of the receipt. It was also sent by e-mail, with the access to what was bought.'

async function accessOf(context: Context, order: string) {
  const experiences = await experiencesOf(context, order)
  if (experiences.length === 0) return null
  return {
    url: accessUrl(context, order),
    experiences: await Promise.all(experiences.map((experience) => shown(context, order, experience))),
  }
}

async function shown(context: Context, order: string, { name, slug, item_type, content }: Row<typeof Experience>) {
  const files = [...(await filesIn(context, content)).values()]
  return {
    name,
    item_type,
    url: `${accessUrl(context, order)}/${slug}`,
    files: files.map(({ id, title, filename, content_type, size, store, url }) => ({
      name: title ?? filename ?? 'File',
      content_type,
      size,
      url: store === null ? url : boughtFileUrl(context, order, slug, id),
    })),
  }
}
