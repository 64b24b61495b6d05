import { exampleId, inputName } from '../../src/contract/declarations/noun.ts'
import type { Operation } from '../../src/contract/declarations/operation.ts'
import { exampleBody } from '../../src/contract/documents/schemas.ts'
import type { Context } from '../../src/records/context.ts'
import { type Site, startSite } from './local-site.ts'
import { nextNumber } from './numbers.ts'
import { type Receiver, startReceiver } from './receiver.ts'
import { pay, priceForSale, sell } from './sell.ts'
import type { Shop } from './shop.ts'
import { connected, inDays, received } from './social.ts'

/** Maps the names of nouns to ids. */
export type Ids = Record<string, string>
type AnyOperation = Operation<Context>

/** Functions that create rows, with the names of the ids that they return. */
const MAKERS: [names: string[], make: (shop: Shop) => Promise<Ids>][] = [
  [['account', 'x402_configuration'], async ({ accountId }) => ({ account: accountId, x402_configuration: accountId })],
  ...(['product', 'customer', 'tag', 'discount'] as const).map((noun) =>
    one(noun, async (shop) => (await shop[noun]()).id),
  ),
  one('blog_category', (shop) => shop.blogCategory()),
  one('blog_post', (shop) => shop.blogPost()),
  one('experience', (shop) => shop.experience()),
  one('file', (shop) => shop.file()),
  one('legal_page', legalPage),
  one('ai_site', async (shop) => (await shop.post('/sites', { prompt: '# agent\nA calm window for paper.' })).id),
  one('event_source', eventSource),
  [['price_variant', 'review'], priced],
  [['webhook_endpoint', 'webhook_test', 'webhook_event'], webhooks],
  [['formation', 'formation_document'], formations],
  [['order', 'order_item', 'refund'], refunded],
  one('subscription', subscribed),
  one('invoice', async (shop) => {
    const price_variant = (await priceForSale(shop)).id
    const invoice = { price_variant, due_at: '2099-01-01T00:00:00Z', email_address: 'bill@example.com' }
    return (await shop.post('/invoices', invoice)).id
  }),
  one('checkout', async (shop) => {
    const price_variant = (await priceForSale(shop)).id
    return (await shop.post('/checkouts', { line_items: [{ price_variant }] })).id
  }),
  one('checkout_link', async (shop) => {
    const { id } = await priceForSale(shop)
    return (await shop.post('/checkout_links', { price_variants: [id] })).id
  }),
  [['social_account', 'social_post', 'social_comment'], social],
  one('form', async (shop) => (await shop.post('/forms', { name: 'Contact' })).id),
  one('form_submission', submitted),
  [['task', 'task_run'], tasks],
]

function one(name: string, make: (shop: Shop) => Promise<string>): (typeof MAKERS)[number] {
  return [[name], async (shop) => ({ [name]: await make(shop) })]
}

/** The names of all kinds of rows. */
export const KINDS = MAKERS.flatMap(([names]) => names)

/** Creates one row of every kind, or of the named kinds, none of them in use by another. */
export async function stock(shop: Shop, names = KINDS): Promise<Ids> {
  await outside()
  const made: Ids = {}
  for (const [kinds, make] of MAKERS)
    if (kinds.some((kind) => names.includes(kind))) Object.assign(made, await make(shop))
  return made
}

/** Creates the rows that one operation refers to, and brings them into the state that it requires. */
export async function stockFor(shop: Shop, operation: AnyOperation, more: string[] = []): Promise<Ids> {
  const ids = await stock(shop, [...named(shop, operation), ...more])
  await prepare(shop, operation, ids)
  return ids
}

/** Returns the kinds that the path and the documented body of an operation refer to. */
function named(shop: Shop, operation: AnyOperation): string[] {
  const { presenter, nouns } = shop.running.app.pipeline
  const body = JSON.stringify(exampleBody(operation as never, presenter.findNoun) ?? {})
  const examples = nouns.filter(({ prefix }) => prefix !== null && body.includes(exampleId(prefix)))
  const relations = Object.values(operation.body ?? {}).flatMap(({ spec }) => spec.relation?.noun ?? [])
  return ['account', nameInPath(operation), ...relations, ...examples.map(({ name }) => name)]
}

/** An account has exactly three, so one of them is changed to differ from the documented example. */
async function legalPage(shop: Shop): Promise<string> {
  const [page] = (await shop.get('/legal_pages')).data
  await shop.set('legal_pages', page.id, { title: `Title ${nextNumber()}` })
  return page.id
}

/** Creates a price of a product that is for sale, and a review of that product. */
async function priced(shop: Shop): Promise<Ids> {
  const { id } = await shop.product({ status: 'active' })
  return { price_variant: (await shop.price(id)).id, review: (await shop.review(id, { rating: 4 })).id }
}

/** Creates a paid order with a partial refund. */
async function refunded(shop: Shop): Promise<Ids> {
  const price = await priceForSale(shop)
  const order = await sell(shop, [{ price_variant: price.id }])
  const refund = (await shop.post('/refunds', { order: order.id, amount: 1 })).id
  return { order: order.id, order_item: order.line_items[0].id, refund }
}

async function subscribed(shop: Shop): Promise<string> {
  const member = await priceForSale(shop, { billing_type: 'subscription', recurring_interval: 'month' })
  return (await sell(shop, [{ price_variant: member.id }])).subscription
}

/** Creates an event source that no task uses. */
async function eventSource(shop: Shop): Promise<string> {
  // An account has 100 at most.
  for (const id of (await shop.listed('/event_sources?limit=100')).slice(40))
    await shop.api('DELETE', `/event_sources/${id}`)
  return (await shop.post('/event_sources', { provider: 'webhook', event_type: 'received' })).id
}

/** Creates a connected account, a draft for it, and a comment of a customer. */
async function social(shop: Shop): Promise<Ids> {
  const account = await connected(shop, { platform: 'facebook' })
  const post = await shop.post('/social_posts', { social_accounts: [account.id], content: 'Spring is here.' })
  const social_comment = await received(shop, account)
  return { social_account: account.id, social_post: post.id, social_comment }
}

/** Creates a submission with its own form. */
async function submitted(shop: Shop): Promise<string> {
  const { id } = await shop.post('/forms', { name: 'Survey' })
  return (await shop.post('/form_submissions', { form_id: id, email: 'visitor@example.com' })).id
}

/** Creates a task that events start, and an unclaimed run of another task. */
async function tasks(shop: Shop): Promise<Ids> {
  const prompt = 'Write a summary of the week.'
  const waiting = await shop.post('/tasks', { name: 'Week', prompt })
  const event = { trigger_type: 'event', event_types: ['customer.confirmed'] }
  return {
    task: (await shop.post('/tasks', { name: 'Greeting', prompt, ...event })).id,
    task_run: waiting.last_run,
  }
}

/** The steps that must precede the documented request of an operation. */
const BEFORE: Record<string, (shop: Shop, ids: Ids) => Promise<unknown>> = {
  submit_formation: async (shop, ids) => pay(shop, (await shop.get(`/formations/${ids.formation}`)).checkout),
  confirm_file_upload: async (shop, ids) => {
    const { id, upload_url } = await shop.post('/files', { filename: 'words.txt' })
    await fetch(upload_url, { method: 'PUT', body: 'words' })
    ids.file = id
  },
  restore_form: (shop, ids) => shop.post(`/forms/${ids.form}/archive`),
  resume_subscription: (shop, ids) => shop.post(`/subscriptions/${ids.subscription}/pause`),
  unschedule_social_post: (shop, ids) =>
    shop.post(`/social_posts/${ids.social_post}/schedule`, { scheduled_at: inDays(30) }),
  retry_social_post: async (shop, ids) => {
    const { id } = await connected(shop, { platform: 'facebook', token: 'flaky' })
    const post = { social_accounts: [id], content: 'Spring is here.', publish_now: true }
    ids.social_post = (await shop.post('/social_posts', post)).id
  },
  sync_social_account: (shop, ids) => shop.set('social_accounts', ids.social_account!, { last_synced_at: PAST }),
  unhide_social_comment: (shop, ids) => shop.post(`/social_comments/${ids.social_comment}/hide`),
  unlike_social_comment: (shop, ids) => shop.post(`/social_comments/${ids.social_comment}/like`),
}

export async function prepare(shop: Shop, { id }: AnyOperation, ids: Ids): Promise<void> {
  await BEFORE[id]?.(shop, ids)
}

/** Creates a formation that waits for its payment, with a document. */
async function formations(shop: Shop): Promise<Ids> {
  const create = shop.operations.find(({ id }) => id === 'create_formation')!
  const { id: formation } = await shop.post('/formations', bodyOf(shop, create, {}))
  const paper = {
    document_type: 'other',
    name: 'letter.txt',
    content_type: 'text/plain',
    size: 5,
    updated_at: undefined,
  }
  const document = await shop.insert('formation_documents', 'fdoc', { formation, ...paper })
  return { formation, formation_document: document }
}

let site: Promise<Site> | undefined
let siteUrl: string
let receiver: Promise<Receiver> | undefined
let receiverUrl: string

/** Starts a website for mapping and a webhook receiver, which run until the process ends. */
async function outside(): Promise<void> {
  site ??= startSite({ '/': '<a href="/about">About</a>' }, { keepsAlive: false })
  receiver ??= startReceiver({ keepsAlive: false })
  siteUrl = (await site).url
  receiverUrl = (await receiver).url
}

/** Creates an endpoint that receives no events of the suites, and a delivery to it. */
async function webhooks(shop: Shop): Promise<Ids> {
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

/** Returns the path of an operation with the ids of the rows that it names, or else of its noun. */
export function pathOf(operation: AnyOperation, ids: Ids): string {
  return operation.path.replace(/\{\w+\}/, ids[nameInPath(operation)] ?? ids[operation.noun.name]!)
}

function nameInPath({ path, noun }: AnyOperation): string {
  return KINDS.find((name) => path.startsWith(`/${name}s/{`)) ?? noun.name
}

/** Functions for values that must be unique among the bodies of one run. */
const UNIQUE: Record<string, (number: number) => string> = {
  'webhook_endpoint.url': (number) => `${receiverUrl}/${number}`,
  'discount.code': (number) => `CODE-${number}`,
  'customer.email': (number) => `person-${number}@example.com`,
  'web_map.url': () => siteUrl,
  'x402_configuration.x402_wallet_address': (number) => `0x${number.toString(16).padStart(40, '0')}`,
  'ai_site.subdomain': (number) => `paper-shop-${number}`,
  'tag.name': (number) => `Tag no. ${number}`,
  'social_post.scheduled_at': (number) => inDays(30 + (number % 300)),
}

/** Returns the documented body of an operation with ids of existing rows. */
export function bodyOf(shop: Shop, operation: AnyOperation, ids: Ids): Record<string, unknown> | undefined {
  const body = exampleBody(operation as never, shop.running.app.pipeline.presenter.findNoun)
  if (!body) return undefined
  for (const [name, field] of Object.entries(operation.body!)) {
    const input = inputName(name, field)
    if (input in body && field.spec.relation?.kind === 'one') body[input] = ids[field.spec.relation.noun]
    const unique = UNIQUE[`${operation.noun.name}.${input}`]
    if (input in body && unique) body[input] = unique(nextNumber())
  }
  return withIds(shop, body, ids)
}

/** Replaces the example ids, also in lists and objects, by ids of existing rows. */
function withIds(shop: Shop, body: Record<string, unknown>, ids: Ids): Record<string, unknown> {
  let text = JSON.stringify(body)
  for (const { name, prefix } of shop.running.app.pipeline.nouns)
    if (prefix !== null && ids[name] && text.includes(exampleId(prefix)))
      text = text.replace(new RegExp(`\\b${exampleId(prefix)}`, 'g'), ids[name])
  return JSON.parse(text)
}

/** Sends the documented request of an operation. */
export function call(shop: Shop, operation: AnyOperation, ids: Ids) {
  return shop.api(operation.method, pathOf(operation, ids), bodyOf(shop, operation, ids))
}
