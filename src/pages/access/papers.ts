import type { Row } from '../../contract/declarations/noun.ts'
import type { Context } from '../../records/context.ts'
import { findRow } from '../../records/records.ts'
import { Invoice } from '../../resources/sales/invoice/invoice.ts'
import { invoicePaper } from '../../resources/sales/invoice/paper.ts'
import { Order } from '../../resources/sales/order/order.ts'
import { hasReceipt, receiptOf } from '../../resources/sales/order/paper.ts'
import type { Paper } from '../../resources/sales/paper.ts'
import { type PageParts, slowDown } from '../parts/parts.ts'
import { paperAnswer } from '../pdf/draw.ts'
import type { Buyer } from './session.ts'

/** PDFs of one customer are limited, because drawing a PDF takes some hundredths of a second. */
const PAPERS_PER_CUSTOMER = { name: 'papers of a buyer', perMinute: 30, burst: 30 }

/** Returns null if the order does not exist, belongs to someone else, or has no receipt. */
export function receiptFile(parts: PageParts, buyer: Buyer, id: string): Promise<Response | null> {
  return fileOf(parts, buyer, async (context) => {
    const order = ownedBy(await findRow(context, Order, id), buyer)
    return order && hasReceipt(order) ? receiptOf(context, order) : null
  })
}

export function invoiceFile(parts: PageParts, buyer: Buyer, id: string): Promise<Response | null> {
  return fileOf(parts, buyer, async (context) => {
    const invoice = ownedBy(await findRow(context, Invoice, id), buyer)
    return invoice && invoicePaper(context, invoice)
  })
}

async function fileOf(
  parts: PageParts,
  { caller }: Buyer,
  write: (context: Context) => Promise<Paper | null>,
): Promise<Response | null> {
  const wait = await parts.takeTurn(caller.customerId, PAPERS_PER_CUSTOMER)
  if (wait > 0) return slowDown('You have opened very many documents.', wait)
  const paper = await parts.pipeline.visits.look(caller, write)
  return paper && paperAnswer(paper)
}

function ownedBy<R extends Row<typeof Order> | Row<typeof Invoice>>(row: R | undefined, { customer }: Buyer): R | null {
  return row?.customer === customer.id ? row : null
}
