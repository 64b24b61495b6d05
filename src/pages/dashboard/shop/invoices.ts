import { html } from 'hono/html'
import { requireRow } from '../../../records/records.ts'
import { Invoice } from '../../../resources/sales/invoice/invoice.ts'
import { invoicePaper } from '../../../resources/sales/invoice/paper.ts'
import { Order } from '../../../resources/sales/order/order.ts'
import { hasReceipt, receiptOf } from '../../../resources/sales/order/receipt.ts'
import { paperAnswer } from '../../pdf/draw.ts'
import { becomes } from '../derived/chosen.ts'
import { unknownPage } from '../kit/answers.ts'
import { shown } from '../kit/call.ts'
import { copyableAddress } from '../kit/copy-buttons.ts'
import { type DashboardPage, view } from '../kit/visit.ts'
import { recoverButtons } from '../recover/failure-card.ts'
import { amountOf, customerCell, day, TAX_FIELDS, taxCard } from './money.ts'

export const invoiceView = view('invoice', {
  title: ({ number }) => `Invoice ${number}`,
  lead: 'Bills for one price, sent to one buyer with a payment link.',
  search: 'Number, e-mail, name or product',
  bulk: [{ name: 'void', button: 'Void', method: 'post', below: '/void', danger: true, says: becomes('voided') }],
  columns: ['number', 'customer', 'amount', 'status', 'due_at'],
  cells: { customer: customerCell },
  expand: ['customer'],
  above: [
    async (visit, invoice) => {
      const { status, due_at: due, paid_at: paid, payment_url: url } = invoice
      const words =
        status === 'paid'
          ? html`<p><strong>${amountOf(invoice)}</strong> was paid on ${day(visit, paid)}.</p>`
          : status === 'void'
            ? html`<p>It is void and can never be paid.</p>`
            : html`<p><strong>${amountOf(invoice)}</strong> ${status === 'past_due' ? html`was due on <strong>${day(visit, due)}</strong> and has not been paid. It can still be paid.` : html`is due on <strong>${day(visit, due)}</strong>.`}</p>
<p class="label">Payment link for the buyer</p>${copyableAddress(url, invoice.number)}${recoverButtons(visit, { kind: 'invoice', id: invoice.id, about: invoice.number, to: invoice.email_address, linked: true })}`
      return html`<section class="card" aria-label="State of the invoice">${words}</section>${taxCard(invoice)}`
    },
  ],
  // The API voids invoices in any state, but voiding one that cannot be paid anyway changes nothing for the buyer.
  allowed: ({ status }) => (status === 'open' || status === 'past_due' ? ['void'] : []),
  links: ({ base }, { id }) =>
    html`<a class="button" href="${base}/invoices/${id}/invoice.pdf" data-turbo="false">Download PDF</a>`,
  main: [
    'customer',
    'customer_name',
    'email_address',
    'price_variant',
    'quantity',
    'description',
    'due_at',
    'paid_at',
    'order',
    'created_at',
  ],
  without: ['status', 'payment_url', 'charge_buyer_fee', 'collection_method', 'currency', 'number', ...TAX_FIELDS],
  labels: {
    price_variant: 'Price',
    email_address: 'Sent to',
    customer_name: 'Name on the invoice',
    due_at: 'Due',
    created_at: 'Created on',
  },
  form: {
    create: 'Send invoice',
    groups: [
      { title: 'Item', names: ['price_variant', 'quantity', 'description'] },
      { title: 'Customer', names: ['customer', 'email_address', 'customer_name'] },
      { title: 'Tax', names: ['country', 'region', 'vat_id'] },
      { title: 'Due date', names: ['due_at'] },
    ],
    labels: {
      price_variant: 'Price',
      vat_id: 'VAT ID',
      email_address: 'E-mail address',
      customer_name: 'Name on the invoice',
      due_at: 'Due',
      collection_method: 'How it is paid',
    },
    without: ['charge_buyer_fee'],
    hints: {
      price_variant: 'A price that is not archived and not free.',
      customer: 'Choose a customer, or give an e-mail address below.',
      email_address: 'The invoice is sent here. A new address creates a new customer.',
      country: 'Needed once the account has tax rates. Not set: the customer’s.',
      region: 'A US state or a Canadian province, where rates have regions.',
      vat_id: 'Of a business in another country, which then pays without tax.',
      due_at: 'Must be in the future. After this date the invoice is past due but can still be paid.',
      description: 'Text on the invoice.',
      collection_method:
        'Send invoice: the buyer pays on a page of yours. Charge automatically: the saved card of the customer is charged at once.',
    },
  },
  actions: {
    void: {
      button: 'Void',
      danger: true,
      lead: (_, { status }) =>
        status === 'paid'
          ? 'The invoice is permanently voided. Its order, payment and access do not change; to return the money, refund the order.'
          : 'The invoice is permanently voided and can never be paid. A payment in progress is abandoned, and money that arrives later is returned to the buyer.',
    },
  },
})

export const receiptFilePage: DashboardPage = {
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

export const invoiceFilePage: DashboardPage = {
  path: '/invoices/:id/invoice.pdf',
  async get(visit, { id = '' }) {
    const invoice = await shown(visit.call('GET /invoices/{id}', { path: { id } }))
    const paper = await visit.parts.pipeline.visits.look(visit.caller, async (context) =>
      invoicePaper(context, await requireRow(context, Invoice, invoice.id)),
    )
    return paperAnswer(paper)
  },
}
