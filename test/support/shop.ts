import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { newId } from '../../src/contract/values/ids.ts'
import { anyTable } from '../../src/records/records.ts'
import type { Tables } from '../../src/resources/tables.ts'
import { type Answer, gateEngines, onEngines, type RequestOptions, type RunningApp, startApp } from './app.ts'
import { type FindDepartures, readConformance } from './conformance.ts'
import { nextNumber } from './numbers.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are looked at freely in tests
export type Body = any
type Values = Record<string, unknown>

type Suite = (shop: Shop) => void
type Settings = Record<string, string>

/** Runs a suite on every engine, each with its own service. For tests whose behaviour may depend on the engine. */
export function onEachEngine(suite: Suite, settings: Settings = {}, more: Place = {}): void {
  runOn(onEngines, suite, settings, more)
}

/** Runs a suite on one engine in the gate and on all in the deep suite. For tests that do not depend on the engine. */
export function onGateEngine(suite: Suite, settings: Settings = {}, more: Place = {}): void {
  runOn(gateEngines, suite, settings, more)
}

type Place = Pick<NonNullable<Parameters<typeof startApp>[0]>, 'publicUrl'>

function runOn(places: typeof onEngines, suite: Suite, settings: Settings, more: Place = {}): void {
  for (const { name, available } of places) {
    describe.skipIf(!available)(`on ${name}`, () => {
      const shop = new Shop()
      beforeAll(() => shop.open(name, settings, more))
      afterAll(() => shop.close())
      suite(shop)
    })
  }
}

const PAST = '2026-01-01T00:00:00Z'

/** The client of a running service. It checks every response against the served OpenAPI document. */
export class Shop {
  #running!: RunningApp
  #departures!: FindDepartures
  /** The account that makes the requests, if it is not the first one. */
  #account: { token: string; accountId: string } | undefined

  async open(
    engine: (typeof onEngines)[number]['name'],
    settings: Record<string, string>,
    more: Place = {},
  ): Promise<void> {
    this.#running = await startApp({ engine, settings, ...more })
    this.#departures = await readConformance(this.#running)
  }

  async close(): Promise<void> {
    await this.#running.close()
    expect(this.#running.errors).toEqual([])
  }

  /** Returns a client of the same service for another account. */
  as(account: { token: string; accountId: string }): Shop {
    const shop = new Shop()
    shop.#running = this.#running
    shop.#departures = this.#departures
    shop.#account = account
    return shop
  }

  get accountId(): string {
    return (this.#account ?? this.#running).accountId
  }

  get token(): string {
    return (this.#account ?? this.#running).token
  }

  get running(): RunningApp {
    return this.#running
  }

  /** The database, for states that no operation can create. */
  get db() {
    return this.#running.app.database.read
  }

  get operations() {
    return this.#running.app.pipeline.operations
  }

  async api(method: string, path: string, body?: unknown, options?: RequestOptions): Promise<Answer> {
    const answer = await this.#running.api(method, path, body, { token: this.#account?.token, ...options })
    expect(this.#departures(method, path, answer)).toEqual([])
    return answer
  }

  get = (path: string): Promise<Body> => this.#done('GET', path)
  post = (path: string, body: unknown = {}): Promise<Body> => this.#done('POST', path, body)
  patch = (path: string, body: unknown): Promise<Body> => this.#done('PATCH', path, body)
  delete = (path: string): Promise<Body> => this.#done('DELETE', path)

  /** Returns the ids, or another field, of the items of a list. */
  async listed(path: string, field = 'id'): Promise<unknown[]> {
    return (await this.get(path)).data.map((item: Body) => item[field])
  }

  /** Returns the messages of a 422 by field, or the code and parameter of another error. */
  async refusal(method: string, path: string, body?: unknown): Promise<Body> {
    const { status, body: answer } = await this.api(method, path, body)
    if (status < 400) throw new Error(`${method} ${path} was not refused: ${JSON.stringify(answer)}`)
    if (status === 422 && answer.error.errors) return answer.error.errors
    return [status, answer.error.code, ...(answer.error.param ? [answer.error.param] : [])]
  }

  product = (values: Values = {}) => this.post('/products', { name: `Product ${nextNumber()}`, ...values })
  customer = (values: Values = {}) => this.post('/customers', { email: `buyer${nextNumber()}@example.com`, ...values })
  tag = (values: Values = {}) => this.post('/tags', { name: `Tag ${nextNumber()}`, ...values })
  review = (product: string, values: Values = {}) => this.post('/reviews', { product, rating: 5, ...values })
  price = (product: string, values: Values = {}) =>
    this.post('/price_variants', { product_id: product, amount: 1000, ...values })
  discount = (values: Values = {}) =>
    this.post('/discounts', { code: `CODE${nextNumber()}`, discount_type: 'percent_off', percent_off: 10, ...values })

  file(values: Partial<Tables['files']> = {}) {
    const source = { kind: 'file', source: 'upload', upload_status: 'ready', filename: 'cover.png' } as const
    const bytes = { content_type: 'image/png', size: 10, stored_bytes: 10, checksum: 'e3b0', store: 'local' } as const
    const blank = { title: null, description: null, tags: null, url: null }
    return this.insert('files', 'file', { ...source, ...bytes, ...blank, ...values })
  }

  experience(values: Partial<Tables['experiences']> = {}) {
    const slug = `experience-${nextNumber()}`
    const kind = { access_type: 'secret', item_type: 'embed', content: '{"url":"https://example.com"}' } as const
    return this.insert('experiences', 'exp', {
      name: slug,
      slug,
      description: null,
      ...kind,
      ...values,
    })
  }

  blogCategory(values: Partial<Tables['blog_categories']> = {}) {
    const slug = values.slug ?? `category-${nextNumber()}`
    return this.insert('blog_categories', 'bcat', { name: slug, name_key: slug, description: null, slug, ...values })
  }

  blogPost(values: Partial<Tables['blog_posts']> = {}) {
    const slug = values.slug ?? `article-${nextNumber()}`
    const seo = {
      seo_title: null,
      seo_description: null,
      indexable: 1,
      featured_image_url: null,
      featured_image_alt: null,
    }
    const times = { published_at: null, scheduled_at: null }
    const words = { title: `Article ${slug}`, content: '<p>Words</p>', excerpt: null, author: null, category: null }
    const post = { slug, status: 'published' as const, ...words, ...seo, ...times, search_text: slug, ...values }
    return this.insert('blog_posts', 'post', post)
  }

  /** Inserts a row directly into the database, and returns its id. */
  async insert<Name extends keyof Tables & string>(table: Name, prefix: string, values: Values): Promise<string> {
    const id = newId(prefix)
    const row = { account_id: this.accountId, id, created_at: PAST, updated_at: PAST, ...values }
    await this.#running.app.database.transaction(({ db }) =>
      db
        .insertInto(table)
        .values(row as never)
        .execute(),
    )
    return id
  }

  /** Updates columns of a row directly in the database. */
  async set(table: keyof Tables, id: string, values: Values): Promise<void> {
    await this.#running.app.database.transaction((unit) =>
      anyTable(unit).updateTable(table).set(values).where('id', '=', id).execute(),
    )
  }

  /** Waits until no job is due or running, so that jobs do not affect the next steps. */
  async settled(): Promise<void> {
    const busy = () =>
      this.db.selectFrom('jobs').select('id').where('state', 'in', ['due', 'working']).limit(1).executeTakeFirst()
    while (await busy()) await delay(10)
  }

  /** Returns the events that `change` creates in any account, in order. */
  async eventsOf(change: () => Promise<unknown>): Promise<{ type: string; data: Body; previous: Body }[]> {
    await this.settled()
    const before = new Set((await this.#events()).map((event) => event.id))
    await change()
    const left = (await this.#events()).filter((event) => !before.has(event.id))
    return left.map(({ type, data, previous_attributes }) => ({
      type,
      data: JSON.parse(data),
      previous: previous_attributes === null ? null : JSON.parse(previous_attributes),
    }))
  }

  #events() {
    return this.db.selectFrom('events').selectAll().orderBy('id').execute()
  }

  async #done(method: string, path: string, body?: unknown): Promise<Body> {
    const answer = await this.api(method, path, body)
    if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`)
    return answer.body
  }
}
