import type { Database } from '../../../src/database/database.ts'
import type { Tables } from '../../../src/resources/tables.ts'

const TABLES = [
  ...['price_variants', 'discounts', 'customers', 'checkouts', 'orders', 'order_items', 'charges', 'refunds'],
  ...['payments', 'subscriptions', 'events', 'webhook_events', 'jobs'],
] as const

// biome-ignore lint/suspicious/noExplicitAny: rows are looked at freely in tests
export type Row = any

/** Every row of an account that sales have to do with, by table. */
export type Books = Record<string, Row[]>

export async function booksOf({ read }: Database<Tables>, accountId: string): Promise<Books> {
  const books: Books = {}
  for (const table of TABLES)
    books[table] = await read
      .selectFrom(table as 'orders')
      .selectAll()
      .where('account_id', '=', accountId)
      .execute()
  return books
}

const PAID = ['succeeded', 'partially_refunded', 'refunded']
const isPaid = ({ status }: Row) => PAID.includes(status)
const sum = (rows: Row[], field: string) => rows.reduce((all, row) => all + Number(row[field]), 0)

/** What is wrong in the books once nothing is under way any more, one sentence for each. */
export function problemsOf(books: Books, stock: { price: string; initial: number }): string[] {
  return [
    ...problemsOfOrders(books),
    ...problemsOfCheckouts(books),
    ...problemsOfCustomers(books),
    ...problemsOfStock(books, stock),
    ...problemsOfCodes(books),
    ...problemsOfSubscriptions(books),
    ...problemsOfWork(books),
  ]
}

/** `wrong` says what of a row is wrong; nothing is when every expectation holds. */
function check(what: string, expectations: Record<string, [found: unknown, expected: unknown]>): string[] {
  return Object.entries(expectations).flatMap(([name, [found, expected]]) =>
    found === expected ? [] : [`${what}: ${name} is ${found}, not ${expected}`],
  )
}

function problemsOfOrders({ orders, charges, refunds, order_items, payments }: Books): string[] {
  const [chargesOf, refundsOf, itemsOf, paymentsOf] = [
    ...[Map.groupBy(charges!, ({ order }) => order), Map.groupBy(refunds!, ({ order }) => order)],
    ...[Map.groupBy(order_items!, ({ order }) => order), Map.groupBy(payments!, ({ order_id }) => order_id)],
  ]
  const known = new Set(orders!.map(({ id }) => id))
  const alone = [...charges!, ...refunds!, ...order_items!].filter(({ order }) => !known.has(order))
  return [
    ...alone.map(({ id }) => `${id} belongs to no order`),
    ...orders!.flatMap((order) => {
      const own = chargesOf!.get(order.id) ?? []
      const back = (refundsOf!.get(order.id) ?? []).filter(({ status }) => status === 'succeeded')
      const items = itemsOf!.get(order.id) ?? []
      const taken = own.filter(({ status }) => status !== 'failed')
      return check(`order ${order.id}`, {
        'being open': [order.status === 'pending', false],
        'number of payments': [paymentsOf!.get(order.id)?.length, 1],
        'number of charges': [own.length, Number(order.amount) > 0 ? 1 : 0],
        'money taken': [sum(taken, 'amount'), isPaid(order) ? Number(order.amount) : 0],
        'money given back': [sum(back, 'amount'), Number(order.amount_refunded)],
        'money given back by the charge': [sum(taken, 'amount_refunded'), Number(order.amount_refunded)],
        'money of its items': [sum(items, 'amount'), Number(order.amount)],
        'money given back for its items': [sum(items, 'amount_refunded'), Number(order.amount_refunded)],
        'refunds under way': [Number(order.amount_refunding), 0],
        status: [order.status, statusOf(order)],
      })
    }),
  ]
}

function statusOf(order: Row): string {
  if (!isPaid(order) || Number(order.amount_refunded) === 0) return order.status === 'failed' ? 'failed' : 'succeeded'
  return Number(order.amount_refunded) === Number(order.amount) ? 'refunded' : 'partially_refunded'
}

function problemsOfCheckouts({ checkouts, orders }: Books): string[] {
  const paid = Map.groupBy(orders!.filter(isPaid), ({ checkout }) => checkout)
  return checkouts!.flatMap(({ id, status, order, paying }) =>
    check(`checkout ${id}`, {
      'number of paid orders': [paid.get(id)?.length ?? 0, status === 'complete' ? 1 : 0],
      order: [order, paid.get(id)?.[0].id ?? null],
      'payment under way': [paying, null],
    }),
  )
}

function problemsOfCustomers({ customers, orders }: Books): string[] {
  const ordersOf = Map.groupBy(orders!.filter(isPaid), ({ customer }) => customer)
  return customers!.flatMap(({ id, total_spend, orders_count }) => {
    const own = ordersOf.get(id) ?? []
    return check(`customer ${id}`, {
      total_spend: [Number(total_spend), sum(own, 'amount') - sum(own, 'amount_refunded')],
      orders_count: [orders_count, own.length],
    })
  })
}

/** What was sold and not given back in full, and what is left, are what there was. */
function problemsOfStock(
  { orders, order_items, price_variants }: Books,
  { price, initial }: { price: string; initial: number },
) {
  const sold = new Set(orders!.filter((order) => isPaid(order) && order.status !== 'refunded').map(({ id }) => id))
  const items = order_items!.filter((item) => item.price_variant === price && sold.has(item.order))
  const left = price_variants!.find(({ id }) => id === price).quantity_available
  return check('stock', { 'sold and left': [sum(items, 'quantity') + Number(left), initial] })
}

function problemsOfCodes({ discounts, orders }: Books): string[] {
  return discounts!.flatMap(({ id, times_redeemed, reserved_count }) =>
    check(`code ${id}`, {
      'number of redemptions': [times_redeemed, orders!.filter((one) => isPaid(one) && one.discount === id).length],
      'number that is held': [reserved_count, 0],
    }),
  )
}

/** In a live account, and in a test account with its clock. */
const PLANNED = ['waiting', 'waiting_for_clock']

function problemsOfSubscriptions({ subscriptions, orders, jobs }: Books): string[] {
  const ordersOf = Map.groupBy(orders!, ({ subscription }) => subscription)
  const planned = new Set(jobs!.filter(({ state }) => PLANNED.includes(state)).map(({ id }) => id))
  return subscriptions!.flatMap(({ id, payments_count, paying, due_job, status }) => {
    const paid = (ordersOf.get(id) ?? []).filter(isPaid)
    return check(`subscription ${id}`, {
      'number of paid orders': [paid.length, payments_count],
      'moments of paid orders': [new Set(paid.map(({ created_at }) => created_at)).size, payments_count],
      'payment under way': [paying, null],
      'having something planned': [planned.has(due_job), status !== 'canceled'],
    })
  })
}

function problemsOfWork({ payments, jobs }: Books): string[] {
  const open = payments!.filter(({ status }) => !['succeeded', 'failed', 'released'].includes(status))
  const failed = jobs!.filter(({ state }) => state === 'failed' || state === 'working')
  return [
    ...open.map(({ id, status }) => `payment ${id} is ${status}`),
    ...failed.map(({ name, state, last_error }) => `a job ${name} is ${state}: ${last_error}`),
  ]
}
