import { beforeAll, describe, expect, it } from 'vitest'
import { addMember } from '../../src/resources/company/account/life/members.ts'
import { memberOf, ownerOf } from '../support/dashboard.ts'
import { type Person, signIn } from '../support/person.ts'
import { type Body, onEachEngine } from '../support/shop.ts'
import { words } from '../support/words.ts'

const BASE = '/dashboard/my-shop'
const PRODUCTS = `${BASE}/products`

describe('Saved views', () => {
  onEachEngine((shop) => {
    let owner: Person
    let colleague: Person

    beforeAll(async () => {
      await shop.product({ name: 'Ink', status: 'active' })
      owner = await signIn(shop.running)
      const who = { name: 'Bo', email: 'bo@example.com', role: 'member' } as const
      const { userId } = await addMember(shop.running.app.database, shop.accountId, who)
      colleague = await signIn(shop.running, userId)
    })

    const save = (person: Person, query: string, fields: Record<string, string>) =>
      person.submit(`${PRODUCTS}?${query}`, fields, `${PRODUCTS}/views`)
    /** The tabs of the list as somebody sees them; the open one is marked. */
    const tabs = async (person: Person, query = '') => {
      const { html } = await person.get(`${PRODUCTS}${query}`)
      const nav = /<nav class="views"[^>]*>(.*?)<\/nav>/s.exec(html)?.[1] ?? ''
      return [...nav.matchAll(/<a href="([^"]+)"( aria-current="page")?>([^<]+)</g)].map(
        ([, href, open, name]) => `${open ? '*' : ''}${name} ${href!.slice(PRODUCTS.length).replaceAll('&amp;', '&')}`,
      )
    }

    it('keep filters and order under a name, without the place, for whoever saved them', async () => {
      expect(await tabs(owner)).toEqual([])
      const { location } = await save(owner, 'status=active&sort=name&from=', { name: ' On sale ' })
      expect(location).toBe(`${PRODUCTS}?sort=name&status=active&done=saved`)
      expect(await tabs(owner)).toEqual(['*All ', 'On sale ?sort=name&status=active'])
      expect(await tabs(owner, '?status=active&sort=name')).toEqual(['All ', '*On sale ?sort=name&status=active'])
      expect(await tabs(colleague)).toEqual([])
    })

    it('are shown to whoever saved them, however many others share', async () => {
      for (const role of ['support', 'editor'] as const) {
        const sharer = await memberOf(shop, role)
        for (let number = 0; number < 20; number++)
          await sharer.post('/saved_views', { list: 'orders', name: `${role} ${number}`, query: 'a=b', shared: true })
      }
      const person = await ownerOf(shop)
      await person.post('/saved_views', { list: 'orders', name: 'Mine', query: 'a=b' })
      const { data } = await person.get('/saved_views', { list: 'orders' })
      expect([data.length, data[0].name, data.at(-1).name]).toEqual([40, 'support 0', 'Mine'])
      await shop.running.app.database.transaction(({ db }) =>
        db.deleteFrom('saved_views').where('list', '=', 'orders').execute(),
      )
    })

    it('are shared where that is wanted, and changed by others only where they are admins', async () => {
      await save(colleague, 'status=draft', { name: 'Drafts', shared: 'true' })
      expect(await tabs(owner, '?status=draft')).toContain('*Drafts ?status=draft')
      const open = (await owner.get(`${PRODUCTS}?status=draft`)).html
      const change = /action="([^"]+\/views\/view_[^"]+)"/.exec(open)![1]!
      await owner.submit(`${PRODUCTS}?status=draft`, { name: 'In the works', do: 'save' }, change)
      expect(await tabs(colleague)).toContain('In the works ?status=draft')

      await save(owner, 'status=archived', { name: 'Gone', shared: 'true' })
      const gone = (await colleague.get(`${PRODUCTS}?status=archived`)).html
      expect(gone).not.toContain('Edit view')
      const [view] = (await (await ownerOf(shop)).get('/saved_views', { list: 'products' })).data.filter(
        ({ name }: Body) => name === 'Gone',
      )
      const csrf = /name="csrf" value="([^"]+)"/.exec(gone)![1]!
      const refused = await colleague.post(`${PRODUCTS}/views/${view.id}`, { csrf, do: 'delete' })
      expect([refused.status, words(refused.html)]).toEqual([
        403,
        expect.stringContaining('or an admin, can change it'),
      ])
      await owner.submit(`${PRODUCTS}?status=archived`, { do: 'delete' }, `${PRODUCTS}/views/${view.id}`)
      expect(await tabs(owner)).not.toContain('Gone ?status=archived')
    })

    it('of others that are not shared, and of other accounts, are like those that never were', async () => {
      const [mine, theirs] = [await memberOf(shop, 'admin'), await memberOf(shop, 'admin')]
      const { id } = await mine.post('/saved_views', { list: 'orders', name: 'Mine', query: 'status=failed' })
      const change = { name: 'Yours', shared: true }
      for (const who of [theirs, await ownerOf(shop.as(await shop.running.another('views-elsewhere')))]) {
        expect((await who.try('PATCH', `/saved_views/${id}`, change))[0]).toBe(404)
        expect((await who.try('DELETE', `/saved_views/${id}`))[0]).toBe(404)
        expect((await who.get('/saved_views', { list: 'orders' })).data).toEqual([])
      }
      expect((await theirs.try('PATCH', '/saved_views/view_x', change))[0]).toBe(404)
    })

    it('are bounded for each person, and go with whoever leaves, unless they are shared', async () => {
      const admin = await memberOf(shop, 'admin')
      const view = (name: string, shared: boolean) => ({ list: 'tags', name, query: 'query=x', shared })
      for (let number = 0; number < 49; number++) await admin.post('/saved_views', view(`View ${number}`, false))
      await admin.post('/saved_views', view('Ours', true))
      const [status, body] = await admin.try('POST', '/saved_views', view('One more', false))
      expect([status, body.error.message]).toEqual([422, expect.stringContaining('50 views')])
      await admin.delete(`/members/${admin.caller.userId}`)
      const left = await shop.db
        .selectFrom('saved_views')
        .select(['name', 'user_id'])
        .where('list', '=', 'tags')
        .execute()
      expect(left).toEqual([{ name: 'Ours', user_id: '' }])
    })

    it('are shared by nobody who only reads, and by one person up to 20', async () => {
      const [viewer, support] = [await memberOf(shop, 'viewer'), await memberOf(shop, 'support')]
      const view = (shared: boolean) => ({ list: 'forms', name: 'One', query: 'query=x', shared })
      const { id } = await viewer.post('/saved_views', view(false))
      for (const [method, path, body] of [
        ['POST', '/saved_views', view(true)],
        ['PATCH', `/saved_views/${id}`, { name: 'One', shared: true }],
      ] as const) {
        const [status, { error }] = await viewer.try(method, path, body)
        expect([status, error.code]).toEqual([403, 'permission_denied'])
      }
      const { id: shared } = await support.post('/saved_views', view(true))
      for (const method of ['PATCH', 'DELETE'])
        expect((await viewer.try(method, `/saved_views/${shared}`, { name: 'Mine', shared: false }))[0]).toBe(403)
      for (let number = 1; number < 20; number++) await support.post('/saved_views', view(true))
      const [status, { error }] = await support.try('POST', '/saved_views', view(true))
      expect([status, error.message]).toEqual([422, expect.stringContaining('at most 20 views')])
      expect((await support.try('PATCH', `/saved_views/${shared}`, { name: 'Renamed', shared: true }))[0]).toBe(200)
      await (await memberOf(shop, 'editor')).post('/saved_views', view(true))
      await viewer.delete(`/saved_views/${id}`)
    })

    it('lead to what an address could, and show their names as text', async () => {
      await save(owner, 'status=active', { name: '<b>&"', query: 'status=active&starting_after=prod_x&sort=nonsense' })
      const { html } = await owner.get(PRODUCTS)
      expect(html).toContain('?sort=nonsense&amp;status=active">&lt;b&gt;&amp;&quot;<')
      expect((await owner.get(`${PRODUCTS}?sort=nonsense&status=active`)).status).toBe(200)
      expect((await save(owner, 'status=active&sort=-name', { name: '' })).status).toBe(422)
    })
  })
})
