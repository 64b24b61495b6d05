import { sql } from 'kysely'
import { afterEach, expect, it } from 'vitest'
import type { Caller } from '../../src/contract/declarations/caller.ts'
import { onGateEngine, type Shop } from '../support/shop.ts'

/** More than what is free inside the pages that the database has. */
const LONG = `<p>${'x'.repeat(60_000)}</p>`

const run = (shop: Shop, ...statements: string[]) =>
  shop.running.app.database.transaction(async ({ db }) => {
    for (const statement of statements) await sql.raw(statement).execute(db)
  })

/** Makes the disk full for what the tests write: for real on the embedded engine, by a trigger on PostgreSQL. */
const fill: Record<string, (shop: Shop, when?: string) => Promise<void>> = {
  sqlite: (shop) => run(shop, 'pragma max_page_count = 1'),
  postgres: (shop, when = 'before insert') =>
    run(
      shop,
      `create or replace function full_disk() returns trigger language plpgsql
       as $$ begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$`,
      when === 'at commit'
        ? 'create constraint trigger full_disk after insert on products initially deferred for each row execute function full_disk()'
        : 'create trigger full_disk before insert on products for each row execute function full_disk()',
      'create trigger full_disk before insert or update on rate_buckets for each row execute function full_disk()',
    ),
}

const free: Record<string, (shop: Shop) => Promise<void>> = {
  sqlite: (shop) => run(shop, 'pragma max_page_count = 1073741823'),
  postgres: (shop) =>
    run(shop, ...['products', 'rate_buckets'].map((table) => `drop trigger if exists full_disk on ${table}`)),
}

/** From now on no claim of a key can be released. */
const keepClaims: Record<string, string[]> = {
  sqlite: [`create trigger kept before delete on idempotency_keys begin select raise(abort, 'no room'); end`],
  postgres: [
    `create function kept() returns trigger language plpgsql
     as $$ begin raise exception 'no room' using errcode = 'disk_full'; end $$`,
    'create trigger kept before delete on idempotency_keys for each row execute function kept()',
  ],
}
const releaseClaims: Record<string, string> = {
  sqlite: 'drop trigger kept',
  postgres: 'drop trigger kept on idempotency_keys',
}

onGateEngine((shop) => {
  const engine = () => shop.running.app.database.engine
  const product = (name: string) => ({ name, body_html: LONG })
  const count = async () => (await shop.get('/products?limit=100')).data.length
  const execute = (code: string) => {
    const { app } = shop.running
    const caller: Caller = { kind: 'session', sessionId: 's', ...app.firstAccount!, role: 'owner' }
    return app.mcp.execute(caller, code)
  }
  const program = (name: string) =>
    `post("/tags", name: "${name}")["id"]\npost("/products", ${JSON.stringify(product(name))})["id"]`

  afterEach(async () => {
    await free[engine()]!(shop)
    shop.running.errors.length = 0
  })

  it('refuses a write in words while the storage is full, reads on, and writes again once there is room', async () => {
    const before = await count()
    await fill[engine()]!(shop)
    const refused = await shop.api('POST', '/products', product('refused'))
    expect(refused).toMatchObject({
      status: 503,
      body: {
        error: { type: 'api_error', code: 'storage_full', message: expect.stringContaining('nothing was saved') },
      },
    })
    expect(refused.headers.get('Retry-After')).toMatch(/^\d+$/)
    expect(await count()).toBe(before)
    await free[engine()]!(shop)
    expect((await shop.api('POST', '/products', product('accepted'))).status).toBe(201)
  })

  it('answers every one of many simultaneous writes, and keeps those that it acknowledges', async () => {
    const before = await count()
    await fill[engine()]!(shop)
    const writes = Array.from({ length: 20 }, (_, index) => [
      shop.api('POST', '/products', product(`many ${index}`)),
      shop.api('POST', '/tags', { name: `many ${index}` }),
    ]).flat()
    const answers = await Promise.all(writes)
    expect(new Set(answers.map(({ status }) => status)).difference(new Set([201, 503]))).toEqual(new Set())
    expect(answers.filter((answer) => answer.status === 503).length).toBeGreaterThan(0)
    const kept = answers.filter(({ status, body }) => status === 201 && body.object === 'product').length
    expect(await count()).toBe(before + kept)
    for (const { status, body } of answers) if (status === 201) await shop.get(`/${body.object}s/${body.id}`)
  })

  it('leaves an Idempotency-Key free', async () => {
    const options = { headers: { 'Idempotency-Key': 'full-1' } }
    await fill[engine()]!(shop)
    expect((await shop.api('POST', '/products', product('keyed'), options)).status).toBe(503)
    await free[engine()]!(shop)
    expect((await shop.api('POST', '/products', product('keyed'), options)).status).toBe(201)
  })

  it('takes an Idempotency-Key over that could not be released', async () => {
    const options = { headers: { 'Idempotency-Key': 'full-2' } }
    await run(shop, ...keepClaims[engine()]!)
    await fill[engine()]!(shop)
    expect((await shop.api('POST', '/products', product('taken over'), options)).status).toBe(503)
    await free[engine()]!(shop)
    await run(shop, releaseClaims[engine()]!)
    const first = await shop.api('POST', '/products', product('taken over'), options)
    const again = await shop.api('POST', '/products', product('taken over'), options)
    expect([first.status, again.status, again.body]).toEqual([201, 201, first.body])
  })

  it('says of a program that nothing was kept', async () => {
    const before = await count()
    await fill[engine()]!(shop)
    const { body, isError } = await execute(program('of a program'))
    expect(isError).toBe(true)
    expect(body).toMatchObject({ error: { type: 'storage_full' }, committed: 'none' })
    expect((await execute('get("/account")["object"]')).body).toEqual({ result: 'account' })
    await free[engine()]!(shop)
    expect(await count()).toBe(before)
    expect((await execute(program('of a program'))).body).toMatchObject({ committed: 'all' })
  })

  it('refuses the single call of a program that commits each by itself', async () => {
    await execute('post("/tags", name: "room")')
    await fill[engine()]!(shop)
    const code = `# atomic: false\npost("/products", ${JSON.stringify(product('alone'))})["error"]["code"]`
    expect((await execute(code)).body).toMatchObject({ result: 'storage_full' })
  })

  it('says of a commit that finds no room that nothing was kept', async (context) => {
    context.skip(engine() === 'sqlite', 'the embedded engine finds out before the commit')
    const before = await count()
    await fill[engine()]!(shop, 'at commit')
    expect((await shop.api('POST', '/products', product('late'))).body.error).toMatchObject({ code: 'storage_full' })
    expect((await execute(program('late'))).body).toMatchObject({
      error: { type: 'storage_full' },
      committed: 'none',
    })
    expect(await count()).toBe(before)
  })
})
