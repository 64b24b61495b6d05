import { beforeAll, describe, expect, it } from 'vitest'
import { addMember } from '../../src/resources/company/account/life/members.ts'
import { type Person, signIn } from '../support/person.ts'
import { onGateEngine } from '../support/shop.ts'

const BASE = '/dashboard/my-shop'
const LINK = /<a class="found-link"[^>]* href="([^"]+)"[^>]*><span class="found-words">([^<]*)<\/span>/g

/** The links of a page of results: their words by their addresses. */
function linksIn(html: string): Record<string, string> {
  return Object.fromEntries([...html.matchAll(LINK)].map(([, address, words]) => [address, words]))
}

describe('The page of the search', () => {
  onGateEngine((shop) => {
    let person: Person
    let product: string
    beforeAll(async () => {
      person = await signIn(shop.running)
      product = (await shop.product({ name: 'Discount <b>Wheel</b>' })).id
    })

    const search = async (query: string, more = '') =>
      (await person.get(`${BASE}/search?q=${encodeURIComponent(query)}${more}`)).html

    it('is reached from every page, and is a form that needs no scripts', async () => {
      expect((await person.get(`${BASE}/products`)).html).toContain(`href="${BASE}/search"`)
      const { status, html } = await person.get(`${BASE}/search`)
      expect(status).toBe(200)
      expect(html).toMatch(new RegExp(`<form class="search-form" role="search" action="${BASE}/search">`))
      expect(linksIn(html)).toEqual({})
    })

    it('shows rows, what can be made, pages of the dashboard, and the documentation', async () => {
      await expect.poll(() => search('discount')).toContain('<h2>Documentation</h2>')
      const html = await search('discount')
      const links = linksIn(html)
      expect(links).toMatchObject({
        [`${BASE}/products/${product}`]: 'Discount &lt;b&gt;Wheel&lt;/b&gt;',
        [`${BASE}/discounts/new`]: 'New discount',
        [`${BASE}/discounts`]: 'Discounts',
      })
      expect(Object.keys(links).some((address) => address.startsWith('/docs/'))).toBe(true)
      const titles = [...html.matchAll(/<h2>([^<]+)<\/h2>/g)].map(([, title]) => title)
      expect(titles).toEqual(expect.arrayContaining(['Products', 'Actions', 'Pages', 'Documentation']))
    })

    it('knows what people call things, and every page it names is there', async () => {
      expect(linksIn(await search('write a po'))).toMatchObject({ [`${BASE}/social_posts/new`]: 'New social post' })
      expect(linksIn(await search('coupon'))).toMatchObject({ [`${BASE}/discounts/new`]: 'New discount' })
      expect(linksIn(await search('settings e-mail'))).toMatchObject({ [`${BASE}/settings/email`]: 'E-mail' })
      const found = new Set<string>()
      for (const letter of 'abcdefghijklmnoprstuwxy')
        for (const address of Object.keys(linksIn(await search(letter)))) found.add(address)
      const own = [...found].filter((address) => address.startsWith(BASE))
      expect(own.length).toBeGreaterThan(30)
      const broken: string[] = []
      for (const address of own) if ((await person.get(address)).status >= 400) broken.push(address)
      expect(broken).toEqual([])
    })

    it('gives the palette the same as options of a list', async () => {
      const options = await search('discount', '&as=options')
      expect(options).not.toContain('<html')
      expect(options).toMatch(/^<div role="group" aria-labelledby="found-0"><div class="found-title" id="found-0"/)
      expect(options).toMatch(/<a class="found-link" role="option" aria-selected="false" tabindex="-1" id="found-0-0"/)
      expect(linksIn(options)[`${BASE}/discounts/new`]).toBe('New discount')
    })

    it('says where nothing is found, and takes what people paste', async () => {
      expect(await search('qqqqzz')).toContain('Nothing was found.')
      for (const query of ['\u0000', '\ud800', '%', '"', '<script>', 'a'.repeat(6_000), '\u202e'])
        expect([
          query.slice(0, 9),
          (await person.get(`${BASE}/search?q=${encodeURIComponent(query.toWellFormed())}`)).status,
        ]).toEqual([query.slice(0, 9), 200])
      expect(await search('<script>x')).not.toContain('<script>x')
    })

    it('offers a person only the settings that are open to them', async () => {
      const someone = { name: 'A member', email: 'member@example.com', role: 'member' } as const
      const { userId } = await addMember(shop.running.app.database, shop.accountId, someone)
      const member = await signIn(shop.running, userId)
      const { html } = await member.get(`${BASE}/search?q=settings`)
      expect(linksIn(html)).not.toHaveProperty(`${BASE}/settings/deletion`)
      expect(linksIn(await search('settings deletion'))).toHaveProperty(`${BASE}/settings/deletion`)
      expect((await member.get('/dashboard/another-shop/search?q=a')).status).toBe(404)
    })
  })
})
