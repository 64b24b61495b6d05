import { html } from 'hono/html'
import { currencyCode, formatMoney, plainAmount } from '../../../format/money.ts'
import type { Shown } from '../../../resources/nouns.ts'
import { boughtWords } from '../../../resources/sales/order/items.ts'
import { BILL_ROWS, type Fact, factList, type Page } from '../../parts/markup.ts'
import { formOf } from '../derived/form.ts'
import { formPage, NOTHING_WRONG } from '../derived/form-page.ts'
import { readBody } from '../derived/read-form.ts'
import { framed, goDone } from '../kit/answers.ts'
import { answeredRows, formKey, type Refusal, type RefusedForm, refusedForm, shown } from '../kit/call.ts'
import { type DashboardContext, view } from '../kit/visit.ts'
import { shortened, shortId } from '../kit/words.ts'
import { amount, amountOf } from './money.ts'
import { leftOf } from './orders.ts'

export const refundView = view('refund', {
  title: (refund) => `Refund of ${amountOf(refund)}`,
  columns: ['back', 'why', 'status', 'created_at'],
  cells: {
    back: { title: 'Refund', show: (_, refund) => amount(refund) },
    why: {
      title: 'Reason',
      show: (_, { reason, failure_message: failure }) => {
        const words = [reason, failure].filter(Boolean).join('. ')
        return words === '' ? html`<span class="none">None given</span>` : html`${shortened(words)}`
      },
    },
  },
})

export const refundPage = formPage({
  path: '/orders/:id/refund',
  see: 'sales.refund',
  show: (visit, { id }, refused) => page(visit, id, refused),
  take: async (visit, { id }, form) => {
    // Without an amount, the operation would refund everything. A person who empties the field does not ask for that.
    if (form.get('amount')?.trim() === '') return { sent: form, refusal: NO_AMOUNT, status: 422 }
    const order = await orderOf(visit, id)
    form.set('currency', order.currency)
    const body = { ...readBody(visit, fieldsOf(visit), form, null), order: order.id }
    const answer = await visit.call('POST /refunds', { body, key: formKey(form) })
    const refused = refusedForm(form, answer)
    if (refused) return refused
    const given = formatMoney(answer.body.amount, order.currency)
    const said = `Order “${boughtWords(order)}” refunded: ${given}.`
    return goDone(visit, `${visit.base}/orders/${encodeURIComponent(order.id)}`, 'refunded', said)
  },
})

const NO_AMOUNT: Refusal = {
  code: 'validation_failed',
  message: 'Enter the amount to refund.',
  errors: { amount: ['Enter the amount to refund.'] },
}

type Order = Shown<'order', 'line_items'>

function orderOf(visit: DashboardContext, id: string): Promise<Order> {
  return shown(visit.call('GET /orders/{id}', { path: { id }, query: { expand: ['line_items'] } }))
}

/** Returns the fields of the form. The order is left out, because the page's URL contains it. */
function fieldsOf(visit: DashboardContext) {
  const { order: _, metadata: __, amount, ...fields } = visit.catalogue.bodyOf('POST /refunds')
  return { amount: amount.required(), ...fields }
}

async function page(visit: DashboardContext, id: string, refused: RefusedForm | null): Promise<Response> {
  const order = await orderOf(visit, id)
  const pending = await pendingOf(visit, order)
  const left = Math.max(0, leftOf(order) - pending)
  const { currency } = order
  const address = `${visit.base}/orders/${encodeURIComponent(order.id)}`
  const filled = new URLSearchParams({ amount: plainAmount(left, currency) })
  const content = await formOf(visit, {
    fields: fieldsOf(visit),
    before: null,
    refused: refused ?? { sent: filled, refusal: NOTHING_WRONG },
    button: 'Refund',
    back: address,
    above: facts(order, pending, left),
    view: {
      groups: [{ names: ['amount', 'reason', 'notes'] }],
      labels: { amount: `Amount in ${currencyCode(currency)}`, notes: 'Internal notes' },
      hints: {
        amount: `At most ${formatMoney(left, currency)}, the amount left to refund. A partial refund is split across all lines in proportion.`,
        notes: 'Only your team sees them.',
        reason: 'In your own words. The buyer does not see it.',
      },
    },
  })
  const options = {
    title: 'Refund this order',
    crumbs: [
      { words: 'Orders', address: `${visit.base}/orders` },
      { words: `${boughtWords(order)}, ${shortId(order.id)}`, address },
    ],
    lead: 'The money goes back to the original payment method. A full refund returns the stock and ends the access. It does not cancel a subscription; cancel that separately.',
  }
  return framed(visit, { ...options, status: refused?.status }, content)
}

/** Returns the sum of the order's pending refunds in minor units. */
async function pendingOf(visit: DashboardContext, { id }: Order): Promise<number> {
  const { rows } = await answeredRows(
    visit.call('GET /refunds', { query: { order: id, status: 'pending', limit: 100 } }),
  )
  return rows.reduce((sum, { amount }) => sum + amount, 0)
}

function facts(order: Order, pending: number, left: number): Page {
  const money = (amount: number) => formatMoney(amount, order.currency)
  const row = (kind: keyof typeof BILL_ROWS, words: string, amount: number): Fact => [
    words,
    money(amount),
    { kind: BILL_ROWS[kind] },
  ]
  return factList('bill refund-bill', [
    row('step', 'Paid', order.amount),
    order.amount_refunded > 0 && row('less', 'Already refunded', -order.amount_refunded),
    pending > 0 && row('less', 'Being refunded', -pending),
    row('total', 'Left to refund', left),
  ])
}
