import { html } from 'hono/html'
import { counted } from '../../../format/counts.ts'
import { formatMoney } from '../../../format/money.ts'
import { formatNumber } from '../../../format/numbers.ts'
import type { ValueOf } from '../../../records/dashboard-read.ts'
import { recovery } from '../../../resources/dashboard/recovery.ts'
import type { RowOf } from '../../../resources/operation-types.ts'
import { type Column, dataTable, factList, type Page } from '../../parts/markup.ts'
import { choosing } from '../derived/bulk.ts'
import { pager } from '../derived/list.ts'
import { framed } from '../kit/answers.ts'
import { answeredRows, rowsIn } from '../kit/call.ts'
import { badge } from '../kit/value.ts'
import type { DashboardContext, DashboardPage } from '../kit/visit.ts'
import { amount, amountOf, day } from '../shop/money.ts'
import { nextTryInShort, reasonOf, recoverButtons } from './failure-card.ts'

type Recovery = ValueOf<typeof recovery>
type UnpaidSubscription = RowOf<'GET /subscriptions', 'customer' | 'product'>
const LIMIT = 25

export const recoverPage: DashboardPage = {
  path: '/recover',
  see: 'sales.read',
  get: async (visit) => {
    const found = await visit.read(recovery)
    const now = Date.parse(found.at)
    const content = html`${figures(visit, found)}${await subscriptions(visit, now)}${await invoices(visit)}`
    const lead = 'Payments that failed, when they are tried again, and how much was recovered.'
    return framed(visit, { title: 'Recover', lead }, content)
  },
}

function figures(visit: DashboardContext, { at_risk, windows }: Recovery): Page {
  const own = visit.account.default_currency
  const risk = at_risk.length === 0 ? [{ currency: own, amount: 0, subscriptions: 0, invoices: 0 }] : at_risk
  const atRisk = risk.map(
    ({ currency, amount: sum, subscriptions: some, invoices: bills }) =>
      html`<span class="recover-sum">${formatMoney(sum, currency)}</span><span class="aside">${counted(some, 'subscription')}, ${counted(bills, 'invoice')}</span>`,
  )
  return factList('shop-tiles', [
    ['At risk now', html`${atRisk}`, { kind: 'card shop-tile' }],
    ...windows.map(
      (window) =>
        [`Recovered in ${window.days} days`, recovered(window, at_risk, own), { kind: 'card shop-tile' }] as const,
    ),
  ])
}

/** Shows recovered and lost amounts by currency. The share of recovered renewals leaves out those still being retried. */
export function recovered(
  window: Pick<Recovery['windows'][number], 'recovered' | 'lost' | 'periods_recovered' | 'periods_lost'>,
  atRisk: Recovery['at_risk'],
  own: string,
): Page {
  const [some, gone] = [new Map(sumsOf(window.recovered)), new Map(sumsOf(window.lost))]
  const open = new Map(sumsOf(atRisk))
  const currencies = [...new Set([...some.keys(), ...gone.keys(), ...open.keys()])]
  const lines = (currencies.length === 0 ? [own] : currencies).map((currency) => {
    const [back, lost] = [some.get(currency) ?? 0, gone.get(currency) ?? 0]
    const money = (amount: number) => formatMoney(amount, currency)
    const words = [
      lost > 0 && `${money(lost)} lost`,
      open.has(currency) && `${money(open.get(currency)!)} still open`,
    ].filter(Boolean)
    return html`<span class="recover-sum">${money(back)}</span><span class="aside">${words.length > 0 ? words.join('; ') : 'Nothing recovered, nothing lost'}</span>`
  })
  const decided = window.periods_recovered + window.periods_lost
  const share =
    decided === 0
      ? ''
      : html`<span class="aside">${window.periods_recovered} of ${counted(decided, 'unpaid renewal')} recovered</span>`
  return html`${lines}${share}`
}

function sumsOf(rows: readonly { currency: string; amount: number }[]): (readonly [string, number])[] {
  const sums = new Map<string, number>()
  for (const { currency, amount: sum } of rows) sums.set(currency, (sums.get(currency) ?? 0) + sum)
  return [...sums]
}

async function subscriptions(visit: DashboardContext, now: number): Promise<Page> {
  const after = visit.query.get('starting_after')
  const { rows, more } = await answeredRows(
    visit.call('GET /subscriptions', {
      query: {
        ...{ status: ['past_due', 'unpaid'], limit: LIMIT, expand: ['customer', 'product'] },
        ...(after && { starting_after: after }),
      },
    }),
  )
  const columns: Column<UnpaidSubscription>[] = [
    { words: 'Subscription', cell: (one) => nameOf(visit, one) },
    { words: 'Unpaid', cell: (one) => amount(one, 'amount_due'), end: true },
    {
      words: 'Why',
      cell: ({ last_payment_error: message, last_payment_error_code: code }) => reasonOf({ code, message }),
    },
    { words: 'Next try', cell: (one) => nextTryInShort(visit, one, now) },
    { words: 'Tries', cell: ({ failed_payments_count: tries }) => formatNumber(tries), end: true },
    { words: 'What to do', cell: (one) => buttonsOf(visit, one), acts: true },
  ]
  const table =
    rows.length === 0
      ? html`<div class="empty"><p>${after ? 'There are no more.' : 'Every subscription is paid.'}</p></div>`
      : html`${chosenTable(visit, columns, rows)}${pager(visit, rows, more)}`
  return html`<section class="related" aria-labelledby="unpaid"><header><h2 id="unpaid">Subscriptions</h2></header>${table}</section>`
}

/** Lets a person choose several subscriptions and charge them all through one plan. */
function chosenTable(visit: DashboardContext, columns: Column<UnpaidSubscription>[], rows: UnpaidSubscription[]): Page {
  const table = {
    caption: 'Subscriptions with an unpaid period',
    columns,
    rows,
    key: ({ id }: UnpaidSubscription) => id,
  }
  return choosing<UnpaidSubscription>(visit, visit.catalogue.known('subscription'), buyerOf, (choice) =>
    dataTable({ ...table, choice }),
  )
}

function buyerOf({ customer }: UnpaidSubscription): string {
  return customer.name ?? customer.email
}

function nameOf({ base }: DashboardContext, one: UnpaidSubscription): Page {
  const { id, customer, product, status } = one
  return html`<a class="row-link" href="${base}/subscriptions/${id}">${buyerOf(one)}</a><span class="aside">${customer.name ? html`${customer.email}<br>` : ''}${product.name} ${badge(status)}</span>`
}

function buttonsOf(visit: DashboardContext, one: UnpaidSubscription): Page {
  return recoverButtons(
    visit,
    { kind: 'subscription', id: one.id, about: buyerOf(one) },
    { charge: amountOf(one, 'amount_due') },
  )
}

async function invoices(visit: DashboardContext): Promise<Page> {
  const query = { status: 'past_due', limit: LIMIT, expand: ['customer'] } as const
  const { rows, more } = rowsIn(await visit.call('GET /invoices', { query }))
  if (rows.length === 0) return html``
  const columns: Column<RowOf<'GET /invoices', 'customer'>>[] = [
    {
      words: 'Invoice',
      cell: ({ id, number, email_address }) =>
        html`<a class="row-link" href="${visit.base}/invoices/${id}">${number}</a><span class="aside">${email_address}</span>`,
    },
    { words: 'Unpaid', cell: (one) => amount(one), end: true },
    { words: 'Was due', cell: ({ due_at }) => day(visit, due_at) },
    {
      words: 'What to do',
      cell: ({ id, number }) => recoverButtons(visit, { kind: 'invoice', id, about: number }),
      acts: true,
    },
  ]
  const all = more ? html`<a href="${visit.base}/invoices?status=past_due">All past due invoices</a>` : ''
  return html`<section class="related" aria-labelledby="overdue"><header><h2 id="overdue">Past due invoices</h2>${all}</header>${dataTable({ caption: 'Past due invoices', columns, rows })}</section>`
}
