import { requireRow } from '../../../records/records.ts'
import { Invoice } from '../../../resources/sales/invoice/invoice.ts'
import { invoicePaper } from '../../../resources/sales/invoice/paper.ts'
import { Order } from '../../../resources/sales/order/order.ts'
import { hasReceipt, receiptOf } from '../../../resources/sales/order/receipt.ts'
import { paperAnswer } from '../../pdf/draw.ts'
import { unknownPage } from '../kit/answers.ts'
import { shown } from '../kit/call.ts'
import type { DashboardPage } from '../kit/visit.ts'

export const receiptPaper: DashboardPage = {
  path: '/orders/:id/receipt.pdf',
  async get(visit, { id = '' }) {
    const order = await shown(visit.call('GET /orders/{id}', { path: { id } }))
    const paper = await visit.parts.pipeline.visits.look(visit.caller, async (context) => {
      const row = await requireRow(context, Order, order.id)
      return hasReceipt(row) ? receiptOf(context, row) : null
    })
    return paper ? paperAnswer(paper) : unknownPage(visit)
  },
}

export const invoiceFile: DashboardPage = {
  path: '/invoices/:id/invoice.pdf',
  async get(visit, { id = '' }) {
    const invoice = await shown(visit.call('GET /invoices/{id}', { path: { id } }))
    const paper = await visit.parts.pipeline.visits.look(visit.caller, async (context) =>
      invoicePaper(context, await requireRow(context, Invoice, invoice.id)),
    )
    return paperAnswer(paper)
  },
}
