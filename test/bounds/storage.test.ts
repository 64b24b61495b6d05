import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { UserCaller } from '../../src/contract/declarations/caller.ts'
import { currentTimestamp } from '../../src/contract/values/values.ts'
import { accountTables } from '../../src/database/account-tables.ts'
import { readerFor } from '../../src/pages/dashboard/kit/visits.ts'
import { countedTables, measureAccount, NOT_COUNTED } from '../../src/quota/measure.ts'
import { storageUse } from '../../src/resources/dashboard/storage-use.ts'
import { pay, priceForSale } from '../support/sell.ts'
import { onEachEngine, type Shop } from '../support/shop.ts'
import { eventually } from '../support/webhooks.ts'

/** Tables without accounts, and what bounds them. */
const OF_NO_ACCOUNT: Record<string, string> = {
  users: 'One for each person; accounts are opened by the operator or by invitation.',
  settings: 'A few rows of the service itself.',
  account_deletions: 'One for each account that is being deleted.',
  sessions: 'They expire, and sign-ins are limited.',
  verifications: 'They expire, and asking for links is limited.',
  sign_in_methods: 'A few for each person.',
  passkeys: 'A few for each person.',
  address_changes: 'They expire, and asking for links is limited.',
  oauth_clients: 'They expire, and registering is limited.',
  client_buckets: 'A day old at most.',
  search_progress: 'One for each kind of row that is found by words.',
  commit_records: 'A quarter of an hour old at most; PostgreSQL alone has them.',
  schema_migrations: 'One for each release.',
  schema_migration_lock: 'One row.',
}

const LONG = 'x'.repeat(20_000)
/** The longest answer of one field. */
const MOST = 5_000
const FIELDS = [1, 2, 3, 4].map((one) => ({ type: 'textarea', label: `Part ${one}` }))

describe('What an account stores', () => {
  onEachEngine((shop) => {
    it('is counted in every table that has rows of accounts', async () => {
      const { read } = shop.running.app.database
      const counted = (await countedTables(read)).map(({ name }) => name)
      const all = (await accountTables(read)).map(({ name }) => name)
      expect(all.filter((name) => !counted.includes(name))).toEqual(Object.keys(NOT_COUNTED))
      const others = (await tableNames(shop)).filter((name) => !all.includes(name))
      expect(others.filter((name) => !(name in OF_NO_ACCOUNT))).toEqual([])
    })

    it('is measured as it is, and shown by kind', async () => {
      const form = await shop.post('/forms', { name: 'Contact', fields: FIELDS })
      const before = await used(shop)
      for (let one = 0; one < 5; one++) await submit(shop, form, LONG)
      let after = before
      await eventually(async () => {
        after = await used(shop)
        return (after.kinds.form_submissions ?? 0) > 100_000
      })
      // Each is kept as itself and in its event.
      expect(after.kinds.events! - (before.kinds.events ?? 0)).toBeGreaterThan(100_000)
      expect(after.used_bytes - before.used_bytes).toBeGreaterThan(200_000)
      expect(after.used_bytes - before.used_bytes).toBeLessThan(400_000)
    })

    it('is measured in steps where there are many rows', async () => {
      const row = (id: number) => ({ account_id: shop.accountId, id: `x${id}`, sort_keys: '{}', deleted_at: '2026' })
      const { database } = shop.running.app
      const rows = Array.from({ length: 1_201 }, (_, id) => row(id))
      await database.transaction(({ db }) => db.insertInto('tombstones').values(rows).execute())
      const tables = await countedTables(database.read)
      const uses = await measureAccount(database.read, tables, shop.accountId, new AbortController().signal)
      expect(uses.find(({ name }) => name === 'tombstones')?.rows).toBe(1_201)
    })
  })
})

describe('An account whose storage is full', () => {
  onEachEngine(
    (shop) => {
      it('takes nothing more from outside, then nothing more from its own programs, and goes on with money', async () => {
        const form = await shop.post('/forms', { name: 'Contact', fields: FIELDS })
        const price = await priceForSale(shop, { amount: 500 })
        const open = await shop.post('/checkouts', {
          line_items: [{ price_variant: price.id }],
          email: 'a@example.com',
        })
        const page = await fillFromOutside(shop, form)
        expect(page.status).toBe(503)
        expect(page.headers.get('retry-after')).toBe('300')
        expect(page.text).toContain('Nothing more can be accepted here')
        // What was written while it was measured counts twice until it is measured again.
        await measuredAgain(shop)
        // Strangers have not taken what is left to buyers: the checkout is opened, and shown before anything is charged.
        expect((await startToBuy(shop, price.id)).status).toBe(409)
        // Nor have they taken what is left to the account.
        const tag = await shop.post('/tags', { name: 'Still' })
        const filled = await fillWholly(shop)
        expect([filled.status, filled.body.error.code]).toEqual([422, 'validation_failed'])
        expect(filled.body.error.errors.base[0]).toContain('The account’s records are limited to 1 MB.')
        const { used_bytes, limit_bytes } = await used(shop)
        expect(used_bytes).toBeLessThan(limit_bytes * 1.3)
        expect((await shop.api('PATCH', `/tags/${tag.id}`, { name: 'No' })).status).toBe(422)
        expect((await shop.api('POST', `/forms/${form.id}/archive`)).status).toBe(200)
        const program = await execute(shop, '# once: full\npost("/tags", name: "No")["error"]["errors"]["base"][0]')
        expect(program.body.result).toContain('The account’s records')
        const plan = await execute(shop, `# dry_run\ndelete("/tags/${tag.id}")`)
        expect(plan.body.plan).toBeUndefined()
        expect(JSON.stringify(plan.body.warnings)).toContain('So there is no plan.')
        const { order, status } = await pay(shop, open.id)
        expect(status).toBe('complete')
        expect((await shop.api('POST', '/refunds', { order })).status).toBe(201)
        const [submission] = await shop.listed('/form_submissions?limit=1')
        expect((await inDashboard(shop, 'DELETE', `/form_submissions/${submission}`)).status).toBe(200)
        expect((await shop.api('DELETE', `/tags/${tag.id}`)).status).toBe(200)
      })

      it('refuses with a key too, and the key is free once there is room', async () => {
        // What was deleted may have made room.
        await fillWholly(shop)
        const headers = { 'Idempotency-Key': 'once there is room' }
        const refused = await shop.api('POST', '/tags', { name: 'Later' }, { headers })
        expect(refused.status).toBe(422)
        for (const id of await shop.listed('/products?limit=100')) await shop.api('DELETE', `/products/${id}`)
        // As time does.
        await shop.running.app.database.transaction(({ db }) => sql`delete from events`.execute(db))
        await eventually(async () => (await shop.api('POST', '/tags', { name: 'Later' }, { headers })).status === 201)
      })
    },
    { STORAGE_PER_ACCOUNT_MB: '1' },
  )
})

async function fillFromOutside(shop: Shop, form: { id: string; fields: { id: string }[] }) {
  for (let one = 0; one < 100; one++) {
    const answer = await submit(shop, form, LONG)
    if (answer.status !== 303) return answer
  }
  throw new Error('It is never full')
}

async function fill(shop: Shop) {
  for (let one = 0; one < 100; one++) {
    const answer = await shop.api('POST', '/products', { name: `Product ${one}`, body_html: `<p>${LONG}</p>` })
    if (answer.status !== 201) return answer
  }
  throw new Error('It is never full')
}

/** Fills it until it is full by what is measured, too. Refused requests are logged, and their rows count: it sends few of them. */
async function fillWholly(shop: Shop) {
  for (;;) {
    const answer = await fill(shop)
    const { used_bytes, limit_bytes } = await measuredAgain(shop)
    if (used_bytes >= limit_bytes) return answer
  }
}

/** Waits for a measurement that began after now. */
async function measuredAgain(shop: Shop): Promise<Used> {
  const now = currentTimestamp()
  let use = await used(shop)
  await eventually(async () => {
    use = await used(shop)
    return (use.measured_at ?? '') > now
  })
  return use
}

function startToBuy(shop: Shop, price: string) {
  const body = new URLSearchParams({ do: 'pay', email: 'b@example.com', card: '4242424242424242' })
  const headers = { origin: shop.running.url, 'content-type': 'application/x-www-form-urlencoded' }
  return fetch(`${shop.running.url}/buy/${price}`, { method: 'POST', body, headers, redirect: 'manual' })
}

async function submit(shop: Shop, form: { id: string; fields: { id: string }[] }, words: string) {
  const url = `${shop.running.url}/forms/${form.id}`
  const part = (index: number) => words.slice(index * MOST, (index + 1) * MOST)
  const body = new URLSearchParams(form.fields.map(({ id }, index) => [`answer-${id}`, part(index)]))
  const headers = { origin: shop.running.url, 'content-type': 'application/x-www-form-urlencoded' }
  const answer = await fetch(url, { method: 'POST', body, headers, redirect: 'manual' })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

interface Used {
  used_bytes: number
  limit_bytes: number
  measured_at: string | null
  kinds: Record<string, number>
}

const ownerOf = ({ running }: Shop): UserCaller => ({
  kind: 'session',
  sessionId: 's',
  ...running.app.firstAccount!,
  role: 'owner',
})

function execute(shop: Shop, code: string) {
  return shop.running.app.mcp.execute(ownerOf(shop), code)
}

function inDashboard(shop: Shop, method: string, path: string) {
  const request = { method, path, query: {}, body: undefined, caller: ownerOf(shop), dashboard: true }
  return shop.running.app.pipeline.run(request)
}

async function used(shop: Shop): Promise<Used> {
  const { used_bytes, limit_bytes, measured_at, kinds } = await readerFor(shop.running.app, ownerOf(shop))(storageUse)
  return {
    used_bytes,
    limit_bytes,
    measured_at,
    kinds: Object.fromEntries(kinds.map(({ kind, bytes }) => [kind, bytes])),
  }
}

async function tableNames(shop: Shop): Promise<string[]> {
  const { read, engine } = shop.running.app.database
  const names =
    engine === 'sqlite'
      ? sql<{ name: string }>`select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'`
      : sql<{
          name: string
        }>`select table_name as name from information_schema.tables where table_schema = current_schema()`
  return (await names.execute(read)).rows.map(({ name }) => name)
}
