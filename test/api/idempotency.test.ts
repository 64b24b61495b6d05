import { describe, expect, it } from 'vitest'
import { KEPT_MS } from '../../src/pipeline/idempotency.ts'
import { addMember } from '../../src/resources/company/account/life/members.ts'
import { createToken } from '../../src/resources/dashboard/api-token/issue.ts'
import { onEachEngine, type Shop } from '../support/shop.ts'

const SECRET_KEY = 'a secret that only tests know'
let keys = 0

describe('A request with an Idempotency-Key', () => {
  onEachEngine(
    (shop) => {
      const send = (key: string, method: string, path: string, body?: unknown, by: Shop = shop) =>
        by.api(method, path, body, { headers: { 'Idempotency-Key': key } })
      const newKey = () => `key-${++keys}`
      const count = async (query: string) => (await shop.listed(`/products?limit=100&query=${query}`)).length

      it('is done once and answered as the first time', async () => {
        const key = newKey()
        const first = await send(key, 'POST', '/products', { name: 'Once', metadata: { a: '1', b: '2' } })
        const again = await send(key, 'POST', '/products', { metadata: { b: '2', a: '1' }, name: 'Once' })
        expect([first.status, again.status, again.text]).toEqual([201, 201, first.text])
        expect(first.headers.get('idempotent-replayed')).toBeNull()
        expect(again.headers.get('idempotent-replayed')).toBe('true')
        expect(again.headers.get('request-id')).not.toBe(first.headers.get('request-id'))
        expect(await count('once')).toBe(1)
      })

      it('may be a change or a deletion, and its effect is not repeated', async () => {
        const { id } = await shop.product({ name: 'Before' })
        const [change, removal] = [newKey(), newKey()]
        await send(change, 'PATCH', `/products/${id}`, { name: 'First' })
        await shop.patch(`/products/${id}`, { name: 'Second' })
        expect((await send(change, 'PATCH', `/products/${id}`, { name: 'First' })).body.name).toBe('First')
        expect((await shop.get(`/products/${id}`)).name).toBe('Second')
        for (const _ of [1, 2]) {
          expect((await send(removal, 'DELETE', `/products/${id}`)).body).toEqual({
            id,
            object: 'product',
            deleted: true,
          })
        }
        expect((await send(newKey(), 'DELETE', `/products/${id}`)).status).toBe(404)
      })

      it('cannot be another request', async () => {
        const key = newKey()
        const { id } = (await send(key, 'POST', '/products', { name: 'A' })).body
        for (const [method, path, body] of [
          ['POST', '/products', { name: 'B' }],
          ['POST', '/tags', { name: 'A' }],
          ['PATCH', `/products/${id}`, { name: 'A' }],
          ['DELETE', `/products/${id}`, undefined],
        ] as const) {
          const { status, body: answer } = await send(key, method, path, body)
          expect([status, answer.error.code]).toEqual([422, 'idempotency_key_reused'])
        }
      })

      it('is refused again as it was refused', async () => {
        const [taken, missing] = [newKey(), newKey()]
        await shop.product({ slug: 'kept-slug' })
        const first = await send(taken, 'POST', '/products', { name: 'X', slug: 'kept-slug' })
        await shop.delete('/products/kept-slug')
        const again = await send(taken, 'POST', '/products', { name: 'X', slug: 'kept-slug' })
        expect([first.status, again.status, again.text]).toEqual([422, 422, first.text])
        expect((await send(missing, 'POST', '/products', {})).status).toBe(400)
        expect((await send(missing, 'POST', '/products', {})).headers.get('idempotent-replayed')).toBe('true')
        expect(await count('kept-slug')).toBe(0)
      })

      it('is open again when nobody was let in', async () => {
        const key = newKey()
        const refused = await shop.api(
          'POST',
          '/products',
          { name: 'A' },
          { token: 'x', headers: { 'Idempotency-Key': key } },
        )
        expect(refused.status).toBe(401)
        expect((await send(key, 'POST', '/products', { name: 'Other' })).status).toBe(201)
      })

      it('is apart from those of other users and accounts', async () => {
        const { database } = shop.running.app
        const person = { name: 'B', email: 'b@example.com', role: 'member' as const }
        const { value } = await createToken(database, SECRET_KEY, await addMember(database, shop.accountId, person), {
          name: 'B',
        })
        const others = [
          shop.as({ accountId: shop.accountId, token: value }),
          shop.as(await shop.running.another('apart')),
        ]
        const key = newKey()
        const ids = new Set<string>()
        for (const by of [shop, ...others])
          ids.add((await send(key, 'POST', '/tags', { name: `Apart ${ids.size}` }, by)).body.id)
        expect(ids.size).toBe(3)
      })

      it('has a key of 1 to 255 characters', async () => {
        for (const key of ['', 'a'.repeat(256)]) {
          const { status, body } = await send(key, 'POST', '/products', { name: 'A' })
          expect([status, body.error.code, body.error.param]).toEqual([400, 'parameter_invalid', 'Idempotency-Key'])
        }
        expect((await send('a'.repeat(255), 'POST', '/products', { name: 'A' })).status).toBe(201)
      })

      it('waits its turn while the first still runs', async () => {
        const key = newKey()
        await send(key, 'POST', '/products', { name: 'Running' })
        const stored = shop.running.app.database
        await stored.transaction(({ db }) =>
          db
            .updateTable('idempotency_keys')
            .set({ status: null, body: null })
            .where('idempotency_key', '=', key)
            .execute(),
        )
        const answer = await send(key, 'POST', '/products', { name: 'Running' })
        expect([answer.status, answer.body.error.code, answer.headers.get('retry-after')]).toEqual([
          409,
          'idempotency_key_in_use',
          '1',
        ])
      })

      it('is taken over from one that never ended', async () => {
        const key = newKey()
        await send(key, 'POST', '/products', { name: 'Crashed' })
        const left = { status: null, body: null, claimed_at: new Date(Date.now() - 61_000).toISOString() }
        await shop.running.app.database.transaction(({ db }) =>
          db.updateTable('idempotency_keys').set(left).where('idempotency_key', '=', key).execute(),
        )
        const answer = await send(key, 'POST', '/products', { name: 'Taken over' })
        expect([answer.status, answer.body.name]).toEqual([201, 'Taken over'])
      })

      it('is forgotten after a day', async () => {
        const key = newKey()
        const aged = (ms: number) =>
          shop.running.app.database.transaction(({ db }) =>
            db
              .updateTable('idempotency_keys')
              .set({ claimed_at: new Date(Date.now() - ms).toISOString() })
              .where('idempotency_key', '=', key)
              .execute(),
          )
        await send(key, 'POST', '/products', { name: 'Daily' })
        await aged(KEPT_MS - 60_000)
        expect((await send(key, 'POST', '/products', { name: 'Daily' })).headers.get('idempotent-replayed')).toBe(
          'true',
        )
        await aged(KEPT_MS + 1000)
        expect((await send(key, 'POST', '/products', { name: 'Another' })).body.name).toBe('Another')
        expect(await count('daily')).toBe(1)
      })

      it('is done once however many come at the same time', async () => {
        const key = newKey()
        const answers = await Promise.all(
          Array.from({ length: 20 }, () => send(key, 'POST', '/products', { name: 'Raced' })),
        )
        expect(await count('raced')).toBe(1)
        const done = answers.filter((answer) => answer.status === 201)
        expect(done.filter((answer) => answer.headers.get('idempotent-replayed') === null)).toHaveLength(1)
        expect(new Set(done.map((answer) => answer.text)).size).toBe(1)
        for (const answer of answers) expect([201, 409]).toContain(answer.status)
        expect((await send(key, 'POST', '/products', { name: 'Raced' })).text).toBe(done[0]!.text)
      })

      it('leaves no key behind when it fails, and no effect', async () => {
        const key = newKey()
        const { path } = shop.operations.find((one) => one.id === 'create_product')!
        const create = shop.operations.find((one) => one.id === 'create_product')!
        const { apply } = create
        create.apply = async (...given) => {
          await apply(...given)
          throw new Error('On purpose')
        }
        const failed = await send(key, 'POST', path, { name: 'Failing' })
        create.apply = apply
        expect(failed.status).toBe(500)
        expect(failed.body.error.message).toContain(failed.headers.get('request-id'))
        expect(shop.running.errors.splice(0)).toHaveLength(1)
        expect(await count('failing')).toBe(0)
        expect((await send(key, 'POST', path, { name: 'Failing' })).status).toBe(201)
      })
    },
    { SECRET_KEY },
  )
})
