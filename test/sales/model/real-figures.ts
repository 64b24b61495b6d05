import type { Body } from '../../support/shop.ts'
import type { Figures } from './figures.ts'
import type { RealShop } from './real-shop.ts'

/** Everything that can be seen of the shop, as the model would show it. Gives names to what is new. */
export async function figuresOfShop(shop: RealShop): Promise<Figures> {
  const seen = await see(shop)
  giveNames(shop, seen)
  const name = (id: string | null) => (id === null ? null : (shop.names.get(id) ?? id))
  const named = (rows: Body[], figures: (row: Body) => unknown) =>
    Object.fromEntries(rows.map((row) => [name(row.id), figures(row)]))
  const charges = Map.groupBy(seen.charges, ({ order }) => order)
  const due = new Map(seen.jobs.map((job) => [job.id, job]))
  return {
    stock: named(seen.prices, (row) => ({ stock: row.quantity_available, archived: row.archived, amount: row.amount })),
    codes: named(seen.codes, ({ times_redeemed, status }) => ({ times_redeemed, status })),
    customers: named(seen.customers, ({ customer_type, orders_count, total_spend }) => {
      return { customer_type, orders_count, total_spend }
    }),
    checkouts: named(seen.checkouts, (row) => checkoutFigures(row, name)),
    orders: named(seen.orders, (row) => orderFigures(row, charges.get(row.id) ?? [], name)),
    refunds: Object.fromEntries(
      seen.refunds.map(({ order, amount, amount_tax, status }, place) => [
        place,
        [name(order), amount, amount_tax, status],
      ]),
    ),
    invoices: named(seen.invoices, (row) => invoiceFigures(row, seen.held, name)),
    subscriptions: named(seen.subscriptions, (row) => subscriptionFigures(row, seen, due, name)),
    access: { grants: seen.grants.map((row) => grantFigures(row, name)).sort() },
  }
}

type Name = (id: string | null) => string | null
type Seen = Awaited<ReturnType<typeof see>>

/** What the operations show, and of what none shows, the rows. */
async function see(shop: RealShop) {
  const rows = <Table extends 'checkouts' | 'charges' | 'access_grants' | 'jobs' | 'invoices' | 'subscriptions'>(
    table: Table,
  ): Promise<Body[]> => {
    return shop.db
      .selectFrom(table as 'charges')
      .selectAll()
      .where('account_id', '=', shop.accountId)
      .orderBy('id')
      .execute()
  }
  const [prices, codes, customers, orders, refunds, invoices, subscriptions] = await Promise.all([
    ...['/price_variants', '/discounts', '/customers'].map((path) => all(shop, path)),
    all(shop, '/orders', { expand: 'line_items' }),
    ...['/refunds', '/invoices', '/subscriptions'].map((path) => all(shop, path)),
  ])
  const [checkouts, charges, grants, jobs, held, planned] = await Promise.all([
    ...[
      rows('checkouts'),
      rows('charges'),
      rows('access_grants'),
      rows('jobs'),
      rows('invoices'),
      rows('subscriptions'),
    ],
  ])
  return {
    ...{
      prices: prices!,
      codes: codes!,
      customers: customers!,
      orders: orders!,
      refunds: refunds!,
      invoices: invoices!,
    },
    ...{ subscriptions: subscriptions!, checkouts: checkouts!, charges: charges!, grants: grants!, jobs: jobs! },
    held: byId(held!),
    planned: byId(planned!),
  }
}

const byId = (rows: Body[]): Map<string, Body> => new Map(rows.map((row) => [row.id, row]))

/** A whole list, the oldest first. */
async function all(shop: RealShop, path: string, query: Record<string, string> = {}): Promise<Body[]> {
  const found: Body[] = []
  for (let more = true; more; ) {
    const after = found.length > 0 ? { starting_after: found.at(-1).id } : {}
    const { data, has_more } = await shop.call('GET', path, undefined, { limit: '100', ...query, ...after })
    found.push(...data)
    more = has_more
  }
  return found.reverse()
}

/** What was not made by a request is named after what it came from. */
function giveNames({ names }: RealShop, { customers, checkouts, orders, refunds, subscriptions }: Seen): void {
  for (const { id, email } of customers) names.set(id, email)
  const checkoutOf = new Map(orders.map(({ id, checkout }) => [id, checkout]))
  for (const { id, order } of subscriptions) names.set(id, `subscription of ${names.get(checkoutOf.get(order))}`)
  const counts = new Map<string, number>()
  const next = (origin: string) => counts.set(origin, (counts.get(origin) ?? 0) + 1).get(origin)
  for (const { id, subscription } of checkouts) {
    if (names.get(id)?.startsWith('checkout')) continue
    const origin = names.get(subscription)!
    names.set(id, `asked ${next(origin)} of ${origin}`)
  }
  for (const { id, checkout, subscription } of orders) {
    const origin = names.get(checkout ?? subscription)!
    names.set(id, `order ${next(`order of ${origin}`)} of ${origin}`)
  }
  for (const { id, order } of refunds) names.set(id, names.get(order)!)
}

function checkoutFigures(row: Body, name: Name) {
  const { status, email, customer, failed_tries, paying, order, subscription, invoice, discount } = row
  const { subtotal, amount_discount, amount_tax, total, expires_at, completed_at, lines } = row
  return {
    ...{ status, email, customer: name(customer), failed_tries, paying: paying !== null },
    ...{ order: name(order), subscription: name(subscription), invoice: name(invoice) },
    ...{ subtotal: Number(subtotal), amount_discount: Number(amount_discount), total: Number(total) },
    amount_tax: Number(amount_tax),
    ...{ code: name(discount), expires_at, completed_at },
    items: (JSON.parse(lines) as Body[]).map((line) => [
      ...[name(line.price_variant), line.quantity, line.unit_amount],
      ...[line.setup_fee_amount, line.amount, line.amount_discount, line.amount_tax],
    ]),
  }
}

function orderFigures(row: Body, charges: Body[], name: Name) {
  const { status, amount, subtotal, amount_discount, amount_refunded, currency, created_at, paid_at } = row
  const { amount_tax, amount_tax_refunded } = row
  return {
    ...{ status, amount, subtotal, amount_discount, amount_refunded, currency, created_at, paid_at },
    ...{ amount_tax, amount_tax_refunded },
    ...{ customer: name(row.customer), code: name(row.discount), checkout: name(row.checkout) },
    ...{ subscription: name(row.subscription), invoice: name(row.invoice) },
    charges: charges.map((charge) => [charge.status, Number(charge.amount), Number(charge.amount_refunded)]),
    items: row.line_items.map((item: Body) => [
      ...[name(item.price_variant), item.quantity, item.unit_amount, item.setup_fee_amount],
      ...[item.amount, item.amount_discount, item.amount_refunded, item.order_status],
      ...[item.amount_tax, item.amount_tax_refunded],
    ]),
  }
}

function invoiceFigures(row: Body, held: Map<string, Body>, name: Name) {
  const { status, number, amount, amount_tax, due_at, paid_at, voided_at } = row
  const paying = held.get(row.id).paying !== null
  const who = { customer: name(row.customer), order: name(row.order), paying }
  return { status, number, amount, amount_tax, ...who, due_at, paid_at, voided_at }
}

function subscriptionFigures(row: Body, { planned }: Seen, due: Map<string, Body>, name: Name) {
  const { status, quantity, amount, payments_count, current_period_start, current_period_end } = row
  const { trial_ends_at, ends_at, canceled, canceled_at, cancellation_reason, paused, paused_at } = row
  const { due_job, terms } = planned.get(row.id)
  const job = due_job === null ? undefined : due.get(due_job)
  return {
    ...{ status, customer: name(row.customer), order: name(row.order), price: name(row.price_variant), quantity },
    ...{ amount, discount: name(row.discount), payments_count, current_period_start, current_period_end },
    ...{ trial_ends_at, ends_at, canceled, canceled_at, cancellation_reason, paused, paused_at },
    ...{ resumes_at: row.resumes_at, allowed_actions: row.allowed_actions },
    copied: JSON.parse(terms).discount !== null,
    next: job && job.state !== 'done' ? [JSON.parse(job.payload).step, job.run_at] : null,
  }
}

function grantFigures(
  { customer, price_variant, order_id, subscription, starts_at, ends_at }: Body,
  name: Name,
): string {
  return [name(customer), name(price_variant), name(order_id), name(subscription), starts_at, ends_at].join(' | ')
}

/** What the outbox has of the shop that was not `seen` before, as the model writes it. */
export async function newEvents(shop: RealShop, seen: Set<string>): Promise<string[]> {
  const own = shop.db.selectFrom('events').select(['id', 'type', 'resource_id'])
  const rows = await own.where('account_id', '=', shop.accountId).orderBy('id').execute()
  const fresh = rows.filter(({ id }) => !seen.has(id))
  for (const { id } of fresh) seen.add(id)
  return fresh.map(({ type, resource_id }) => `${type} ${shop.names.get(resource_id) ?? resource_id}`)
}
