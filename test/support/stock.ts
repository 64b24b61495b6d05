import { exampleId, inputName } from '../../src/contract/noun.ts'
import type { Operation } from '../../src/contract/operation.ts'
import { exampleBody } from '../../src/contract/schemas.ts'
import type { Context } from '../../src/records/context.ts'
import { type Receiver, startReceiver } from './receiver.ts'
import { priceForSale, sell } from './sell.ts'
import type { Shop } from './shop.ts'

/** Ids by the name of their noun. */
export type Ids = Record<string, string>
type AnyOperation = Operation<Context>

/** One of everything, none of it in use by another. */
export async function stock(shop: Shop): Promise<Ids> {
  const ids: Ids = { account: shop.accountId }
  for (const noun of ['product', 'customer', 'tag', 'discount'] as const) ids[noun] = (await shop[noun]()).id
  const blog = { blog_category: await shop.blogCategory(), blog_post: await shop.blogPost() }
  const { id: priced } = await shop.product({ status: 'active' })
  const price_variant = (await shop.price(priced)).id
  return {
    ...ids,
    ...blog,
    ...(await webhooks(shop)),
    ...(await sales(shop)),
    price_variant,
    review: (await shop.review(priced, { rating: 4 })).id,
    experience: await shop.experience(),
    file: await shop.file(),
  }
}

/** A checkout that is open, a paid order of another with a refund, a subscription, an invoice and a link. */
async function sales(shop: Shop): Promise<Ids> {
  const price = await priceForSale(shop)
  const monthly = { billing_type: 'subscription', recurring_interval: 'month' }
  const member = await priceForSale(shop, monthly)
  const order = await sell(shop, [{ price_variant: price.id }])
  const { subscription } = await sell(shop, [{ price_variant: member.id }])
  const invoice = { price_variant: price.id, due_at: '2099-01-01T00:00:00Z', email_address: 'bill@example.com' }
  return {
    order: order.id,
    order_item: order.line_items[0].id,
    refund: (await shop.post('/refunds', { order: order.id, amount: 1 })).id,
    subscription,
    invoice: (await shop.post('/invoices', invoice)).id,
    checkout: (await shop.post('/checkouts', { line_items: [{ price_variant: price.id }] })).id,
    checkout_link: (await shop.post('/checkout_links', { price_variants: [price.id] })).id,
  }
}

/** What must have happened before the documented request of an operation can succeed. */
const BEFORE: Record<string, (shop: Shop, ids: Ids) => Promise<unknown>> = {
  resume_subscription: (shop, ids) => shop.post(`/subscriptions/${ids.subscription}/pause`),
}

export async function prepare(shop: Shop, { id }: AnyOperation, ids: Ids): Promise<void> {
  await BEFORE[id]?.(shop, ids)
}

let receiver: Promise<Receiver> | undefined
let receiverUrl: string

/** An endpoint that hears of nothing that suites do, at a receiver that lasts as long as the process, and a delivery to it. */
async function webhooks(shop: Shop): Promise<Ids> {
  receiver ??= startReceiver({ keepsAlive: false })
  receiverUrl = (await receiver).url
  // An account has 20 at most.
  for (const id of (await shop.listed('/webhook_endpoints?limit=100')).slice(5))
    await shop.delete(`/webhook_endpoints/${id}`)
  const { id } = await shop.post('/webhook_endpoints', { url: receiverUrl, enabled_events: ['customer.confirmed'] })
  const delivery = await shop.insert('webhook_events', 'whev', {
    ...{ type: 'customer.confirmed', api_version: 'v1', webhook_endpoint: id, event_group: 'evt_1' },
    ...{ status: 'delivered', attempts: 1, response_status: 200, response_body: 'ok', error_message: null },
    ...{ next_attempt_at: null, delivered_at: PAST, finished_at: PAST, queue: null, due_ms: 0, payload: '{}' },
  })
  return { webhook_endpoint: id, webhook_test: id, webhook_event: delivery }
}

const PAST = '2026-01-01T00:00:00Z'

/** The path of an operation, for the thing of its noun. */
export function pathOf({ path, noun }: AnyOperation, ids: Ids): string {
  return path.replace(/\{\w+\}/, ids[noun.name]!)
}

/** Values that must differ between the bodies of one run. */
const UNIQUE: Record<string, (number: number) => string> = {
  'webhook_endpoint.url': (number) => `${receiverUrl}/${number}`,
  'discount.code': (number) => `CODE-${number}`,
  'customer.email': (number) => `person-${number}@example.com`,
  'tag.name': (number) => `Tag no. ${number}`,
}
let number = 0

/** The documented body of an operation, with references to what there is. */
export function bodyOf(shop: Shop, operation: AnyOperation, ids: Ids): Record<string, unknown> | undefined {
  const body = exampleBody(operation as never, shop.running.app.pipeline.presenter.findNoun)
  if (!body) return undefined
  for (const [name, field] of Object.entries(operation.body!)) {
    const input = inputName(name, field)
    if (input in body && field.spec.relation?.kind === 'one') body[input] = ids[field.spec.relation.noun]
    const unique = UNIQUE[`${operation.noun.name}.${input}`]
    if (input in body && unique) body[input] = unique(++number)
  }
  return withIds(shop, body, ids)
}

/** Ids of examples, also inside of lists and objects, become those of what there is. */
function withIds(shop: Shop, body: Record<string, unknown>, ids: Ids): Record<string, unknown> {
  let text = JSON.stringify(body)
  for (const { name, prefix } of shop.running.app.pipeline.presenter.nouns())
    if (prefix !== null && ids[name]) text = text.replaceAll(exampleId(prefix), ids[name])
  return JSON.parse(text)
}

/** Sends the documented request of an operation. */
export function call(shop: Shop, operation: AnyOperation, ids: Ids) {
  return shop.api(operation.method, pathOf(operation, ids), bodyOf(shop, operation, ids))
}
