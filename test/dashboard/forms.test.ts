import { beforeAll, describe, expect, it } from 'vitest'
import { DONE_WORDS } from '../../src/pages/dashboard/derived/done-words.ts'
import { Catalogue } from '../../src/pages/dashboard/kit/catalogue.ts'
import { fieldsOf, type Person, signIn } from '../support/person.ts'
import { priceForSale, sell } from '../support/sell.ts'
import { onGateEngine } from '../support/shop.ts'
import { connected } from '../support/social.ts'
import { words } from '../support/words.ts'

const BASE = '/dashboard/my-shop'

describe('A form of the dashboard', () => {
  onGateEngine((shop) => {
    let person: Person
    beforeAll(async () => {
      person = await signIn(shop.running)
    })
    /** What a page's form holds, filled in. */
    const filled = async (path: string, fields: Record<string, string>) => ({
      ...fieldsOf((await person.get(path)).html, path),
      ...fields,
    })
    const filledFrom = async (path: string, fields: Record<string, string>) => ({
      ...fieldsOf((await person.get(`${BASE}/${path}`)).html, `${BASE}/${path.replace(/\?.*/, '')}`),
      ...fields,
    })
    const refundsOf = (order: string) => shop.listed(`/refunds?order=${order}`, 'amount')

    it('that is sent twice makes one thing and leads to it both times', async () => {
      const path = `${BASE}/tags/new`
      const form = await filled(path, { name: 'Once' })
      const [first, second] = [await person.post(path, form), await person.post(path, form)]
      expect(second.location).toBe(first.location)
      expect([first.status, second.status]).toEqual([303, 303])
      expect((await shop.get('/tags?query=once')).data).toHaveLength(1)
      const next = await person.post(path, await filled(path, { name: 'Twice' }))
      expect(next.location).not.toBe(first.location)
    })

    it.each([
      ['tasks', 'tasks/new', { name: 'Once', prompt: '# ruby\n1', trigger_type: 'schedule' }],
      ['event_sources', 'event_sources/new?provider=webhook', { name: 'Once' }],
      ['social_accounts', 'social_accounts/new', { platform: 'mastodon' }],
      ['webhook_endpoints', 'developers/webhooks/new', { url: 'https://example.com/once' }],
      ['experiences', 'experiences/new?kind=embed', { name: 'Once', url: 'https://example.com' }],
    ])('that is sent twice makes one of the %s', async (list, path, fields) => {
      const before = (await shop.listed(`/${list}?limit=100`)).length
      const form = await filledFrom(path, fields)
      const to = `${BASE}/${path.replace(/\?.*/, '')}`
      const [first, second] = [await person.post(to, form), await person.post(to, form)]
      expect([first.status, second.location]).toEqual([list === 'webhook_endpoints' ? 200 : 303, first.location])
      expect(await shop.listed(`/${list}?limit=100`)).toHaveLength(before + 1)
    })

    it('that is sent twice publishes once', async () => {
      const account = await connected(shop)
      const path = `${BASE}/social_posts/new`
      const form = await filled(path, { content: 'Said once', social_accounts: account.id, do: 'publish' })
      const [first, second] = [await person.post(path, form), await person.post(path, form)]
      expect([first.status, second.location]).toEqual([303, first.location])
      expect(await shop.listed('/social_posts')).toHaveLength(1)
    })

    it('that is changed and sent again from the former page says so, and can then be sent', async () => {
      const path = `${BASE}/tags/new`
      const form = await filled(path, { name: 'Before' })
      await person.post(path, form)
      const again = await person.post(path, { ...form, name: 'After' })
      expect([again.status, words(again.html)]).toEqual([422, expect.stringContaining('was already sent')])
      expect((await shop.get('/tags?query=after')).data).toEqual([])
      const shown = fieldsOf(again.html, path)
      expect(shown.name).toBe('After')
      expect((await person.post(path, shown)).status).toBe(303)
    })

    it('that is sent twice at the same moment refunds once', async () => {
      const price = await priceForSale(shop, { amount: 4000 }, { name: 'Field Guide' })
      const order = await sell(shop, [{ price_variant: price.id }])
      const path = `${BASE}/orders/${order.id}/refund`
      const form = await filled(path, { amount: '10.00' })
      const answers = await Promise.all([person.post(path, form), person.post(path, form)])
      const locations = answers.map(({ location }) => location)
      expect(new Set(locations)).toEqual(new Set([`${BASE}/orders/${order.id}?done=refunded`]))
      const late = await person.post(path, form)
      expect(late.location).toBe(`${BASE}/orders/${order.id}?done=refunded`)
      expect(await refundsOf(order.id)).toEqual([1000])
      expect(words((await person.get(late.location!)).html)).toContain('Order “Field Guide” refunded: $10.00.')
    })

    it('reads amounts as buyers and commands do, and asks where they can be read in two ways', async () => {
      const price = await priceForSale(shop, { amount: 4000 })
      const order = await sell(shop, [{ price_variant: price.id }])
      const refund = `${BASE}/orders/${order.id}/refund`
      expect((await person.post(refund, await filled(refund, { amount: '12,50' }))).status).toBe(303)
      expect(await refundsOf(order.id)).toEqual([1250])
      for (const amount of ['1,234', '1.234', '12 50', '-5', '12.505']) {
        const refused = await person.post(refund, await filled(refund, { amount }))
        expect([amount, refused.status, words(refused.html)]).toEqual([
          amount,
          400,
          expect.stringContaining('must be an amount such as 12.50 or 1,250.00.'),
        ])
      }
    })

    it('does not take an amount for another one when only its currency is changed', async () => {
      const price = await priceForSale(shop, { amount: 4000 })
      const path = `${BASE}/price_variants/${price.id}/edit`
      const form = await filled(path, { currency: 'jpy' })
      expect(form.amount).toBe('40.00')
      const refused = await person.post(path, form)
      expect([refused.status, words(refused.html)]).toEqual([
        400,
        expect.stringContaining('must be an amount such as 1250 or 1,250.'),
      ])
      expect(await shop.get(`/price_variants/${price.id}`)).toMatchObject({ amount: 4000, currency: 'usd' })
      expect((await person.post(path, { ...form, amount: '4,000' })).status).toBe(303)
      expect(await shop.get(`/price_variants/${price.id}`)).toMatchObject({ amount: 4000, currency: 'jpy' })
    })

    it('that does something is done once', async () => {
      const { id: account } = await connected(shop)
      const { id } = await shop.post('/social_posts', { content: 'Copy me', social_accounts: [account] })
      const before = (await shop.listed('/social_posts')).length
      const path = `${BASE}/social_posts/${id}/duplicate`
      const form = await filled(path, {})
      const [first, second] = [await person.post(path, form), await person.post(path, form)]
      expect([first.status, second.location]).toEqual([303, first.location])
      expect(await shop.listed('/social_posts')).toHaveLength(before + 1)
    })

    it('is followed by a page that names what was done, and says it to nobody else', async () => {
      const made = await person.submit(`${BASE}/tags/new`, { name: '<b>VIP</b>' })
      const page = await person.get(made.location!)
      expect(words(page.html)).toContain('Tag “&lt;b&gt;VIP&lt;/b&gt;” created.')
      const [, id] = /(tag_\w+)/.exec(made.location!)!
      const saved = await person.submit(`${BASE}/tags/${id}/edit`, { name: 'Regulars' })
      expect(words((await person.get(saved.location!)).html)).toContain('Tag “Regulars” saved.')
      const gone = await person.submit(`${BASE}/tags/${id}/delete`, {})
      expect(words((await person.get(gone.location!)).html)).toContain('Tag “Regulars” deleted.')
      expect(gone.headers.get('set-cookie')).toMatch(
        /; Max-Age=60; Path=\/dashboard\/my-shop\/tags; HttpOnly; SameSite=Lax/i,
      )
      const other = await signIn(shop.running)
      expect(words((await other.get(`${BASE}/tags?done=deleted`)).html)).toMatch(/ Deleted\. /)
      expect(words((await other.get(`${BASE}/tags?done=Call+us`)).html)).not.toContain('Call us')
    })

    it('has a word for everything that can be done', () => {
      const all = new Catalogue(shop.running.app.pipeline).all()
      const unnamed = all.flatMap(({ actions }) => [...actions.keys()]).filter((name) => !(name in DONE_WORDS))
      expect(unnamed).toEqual([])
    })
  })
})
