import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expandableNames } from '../../src/contract/documents/describe.ts'
import { newId } from '../../src/contract/values/ids.ts'
import { PASSWORD, type Person, signIn } from '../support/person.ts'
import { priceForSale, sell } from '../support/sell.ts'
import { type Body, Shop } from '../support/shop.ts'
import { statementsOf } from '../support/statements.ts'
import { stock } from '../support/stock.ts'

const ACCOUNTS = 40
const LINES = 200

/** Statements of work in the background; one for each line or account would be many more. */
const MEANWHILE = 20

describe('The statements of a page do not grow', () => {
  const shop = new Shop()
  let person: Person

  beforeAll(async () => {
    await shop.open('sqlite', {})
    person = await signIn(shop.running)
  })
  afterAll(() => shop.close())

  /** How many statements read for a page that has been opened before. */
  async function readsOf(open: () => Promise<{ status: number }>): Promise<number> {
    await open()
    await shop.settled()
    const texts = await statementsOf(async () => expect((await open()).status).toBeLessThan(400))
    return texts.filter((text) => text.startsWith('select')).length
  }

  it('with the lines of an order', async () => {
    const few = await sell(shop, [{ price_variant: (await priceForSale(shop)).id }])
    const many = await soldInLines(LINES)
    const page = ({ id }: Body) => readsOf(() => person.get(`/dashboard/my-shop/orders/${id}`))
    const answer = ({ id }: Body) => readsOf(() => shop.api('GET', `/orders/${id}?expand=line_items,charge,customer`))
    expect(await page(many)).toBeLessThan((await page(few)) + MEANWHILE)
    expect(await answer(many)).toBeLessThan((await answer(few)) + MEANWHILE)
    const { html } = await person.get(`/dashboard/my-shop/orders/${many.id}`)
    expect(html.match(/<tr>/g)!.length).toBeGreaterThanOrEqual(LINES)
  })

  it('with the accounts of a person', async () => {
    const { userId } = shop.running.app.firstAccount!
    const { email } = await shop.db
      .selectFrom('users')
      .select('email')
      .where('id', '=', userId)
      .executeTakeFirstOrThrow()
    const reads = async () => [
      await readsOf(() => person.post('/sign-in', { email, password: PASSWORD })),
      await readsOf(() => person.get('/dashboard')),
      await readsOf(() => person.get('/dashboard/my-shop/products')),
    ]
    await join(userId, 1)
    const few = await reads()
    await join(userId, ACCOUNTS)
    expect((await person.get('/dashboard')).html.match(/"account-link"/g)).toHaveLength(ACCOUNTS + 2)
    for (const [index, count] of (await reads()).entries()) expect(count).toBeLessThan(few[index]! + MEANWHILE)
  })

  it('with the accounts of others', async () => {
    const all = await statementsOf(() => person.get('/dashboard'))
    // The rows of accounts are measured meanwhile, in one statement over all tables.
    const ofPerson = all.find((text) => text.includes('"memberships"') && !text.includes('union all'))
    expect(await stepsOf(ofPerson!)).toEqual([
      expect.stringMatching(/^SEARCH memberships .*\(user_id=\?\)/),
      expect.stringMatching(/^SEARCH accounts .*\(account_id=\?\)/),
    ])
  })

  it('with all that an account has: what the rows of a list show is found by their ids', async () => {
    await stock(shop)
    await shop.customer({ tags: ['Regular'] })
    for (const { path, kind, noun, expandable } of shop.operations) {
      if (kind !== 'list' || path.includes('{')) continue
      const names = expandable ? expandableNames(noun, shop.running.app.pipeline.presenter.findNoun) : []
      const texts = await statementsOf(() => shop.get(`${path}${names.length > 0 ? `?expand=${names.join()}` : ''}`))
      for (const text of new Set(texts.filter((one) => one.startsWith('select') && / in \(\?/.test(one)))) {
        const steps = await stepsOf(text.replaceAll(/ in \(\?[^)]*\)/g, ` in (${Array(25).fill('?').join()})`))
        expect([path, text, steps.filter((step) => /^SCAN|\(account_id=\?\)$/.test(step))]).toEqual([path, text, []])
      }
    }
  })

  it('with the customers of an account, when few of them are asked for', async () => {
    const { id } = await shop.customer({ name: 'Ada Lovelace' })
    const stepsFor = async (query: string) => {
      const texts = await statementsOf(() => shop.get(`/customers?${query}`))
      return stepsOf(texts.find((text) => text.includes('from "customers"') && /instr|total_spend/.test(text))!)
    }
    expect(await stepsFor('total_spend[gte]=1')).toEqual([
      expect.stringMatching(/COVERING INDEX customers_by_spend \(account_id=\? AND <expr>>\?\)$/),
    ])
    for (const [query, range] of [
      ['query=ovelac', ''],
      [`query=ovelac&starting_after=${id}`, ' AND id<?'],
    ])
      expect((await stepsFor(query!)).at(-1)).toContain(`COVERING INDEX customers_by_text (account_id=?${range})`)
    const simulated = await statementsOf(() => person.get('/dashboard/my-shop'))
    expect(simulated.filter((text) => text.includes('simulated = 1')).join()).not.toContain('group by')
  })

  it('with the simulated orders of an account: a large number of them is not counted to the end', async () => {
    const order = await sell(shop, [{ price_variant: (await priceForSale(shop)).id }])
    const row = await shop.db.selectFrom('orders').selectAll().where('id', '=', order.id).executeTakeFirstOrThrow()
    const names = sql.join(Object.keys(row).map((name) => sql.ref(name)))
    const values = sql.join(Object.keys(row).map((name) => (name === 'id' ? sql`'ord_' || i` : sql.ref(name))))
    await shop.running.app.database.transaction(({ db }) =>
      sql`insert into orders (${names}) select ${values} from orders,
        (with recursive numbers (i) as (select 1 union all select i + 1 from numbers where i < 10000) select i from numbers)
        where id = ${order.id}`.execute(db),
    )
    expect((await person.get('/dashboard/my-shop')).html).toContain('10,000 or more simulated orders')
  })

  /** How the embedded engine carries out a statement. */
  async function stepsOf(text: string): Promise<string[]> {
    const filled = sql.raw(text.replaceAll('?', "'x'"))
    const { rows } = await sql<{ detail: string }>`explain query plan ${filled}`.execute(shop.db)
    return rows.map(({ detail }) => detail)
  }

  /** Makes a person a member of further accounts. */
  async function join(userId: string, count: number): Promise<void> {
    for (let made = 0; made < count; made++) {
      const subdomain = `shop-${count}-${made}`
      const account = (await shop.running.another(subdomain)).accountId
      await shop.running.app.database.transaction(({ db }) =>
        db
          .insertInto('memberships')
          .values({ account_id: account, user_id: userId, role: 'admin', created_at: '2026-01-01T00:00:00Z' })
          .execute(),
      )
    }
  }

  /** An order of more lines than a checkout takes, as imports make them. */
  async function soldInLines(count: number): Promise<Body> {
    const order = await sell(shop, [{ price_variant: (await priceForSale(shop)).id }])
    const items = shop.db.selectFrom('order_items').selectAll().where('order', '=', order.id)
    const line = await items.executeTakeFirstOrThrow()
    const others = Array.from({ length: count - 1 }, () => ({ ...line, id: newId('ordi') }))
    await shop.running.app.database.transaction(({ db }) => db.insertInto('order_items').values(others).execute())
    return order
  }
})
