import { beforeAll, describe, expect, it } from 'vitest'
import { Catalogue } from '../../src/pages/dashboard/kit/catalogue.ts'
import { type Person, signIn } from '../support/person.ts'
import { onGateEngine } from '../support/shop.ts'
import { type Ids, stock } from '../support/stock.ts'
import { words } from '../support/words.ts'

const BASE = '/dashboard/my-shop'
/** Pages that ask something first: of which kind it will be. */
const ASK_FIRST = ['experiences', 'event_sources']
/** What is made is shown once and kept nowhere, so also not for a form that is sent twice. */
const SHOWN_ONCE = ['api_tokens']
/** What a page shows when a value was taken for a text that is none. */
const MISTAKES = /\bundefined\b|\[object Object\]|\bNaN\b|Invalid Date/

describe('The pages that follow from declarations', () => {
  onGateEngine((shop) => {
    let person: Person
    let ids: Ids
    let catalogue: Catalogue

    beforeAll(async () => {
      ids = await stock(shop)
      person = await signIn(shop.running)
      catalogue = new Catalogue(shop.running.app.pipeline)
    })

    it('show every list, as a page and as CSV', async () => {
      const lists = catalogue.all().filter(({ list, path }) => list?.path === `/${path}`)
      expect(lists.length).toBeGreaterThan(25)
      for (const { path } of lists) {
        const page = await person.get(`${BASE}/${path}`)
        expect([path, page.status, MISTAKES.exec(page.html)?.[0]]).toEqual([path, 200, undefined])
        const csv = await person.get(`${BASE}/${path}.csv`)
        expect([path, csv.status, MISTAKES.exec(csv.html)?.[0]]).toEqual([path, 200, undefined])
      }
    })

    it('show one of everything, with what can be done with it', async () => {
      for (const { path, noun, retrieve, update, remove, actions } of catalogue.all()) {
        const id = ids[noun.name]
        if (!retrieve || !id || !retrieve.addressed) continue
        const own = `${BASE}/${path}/${id}`
        const pages = [own, update && `${own}/edit`, remove && `${own}/delete`]
        for (const address of [...pages, ...[...actions.keys()].map((name) => `${own}/${name}`)].filter(Boolean)) {
          const page = await person.get(address!)
          expect([address, page.status, MISTAKES.exec(page.html)?.[0]]).toEqual([address, 200, undefined])
        }
      }
    })

    it('have a form for everything that can be made, which says what is wrong and loses nothing', async () => {
      for (const { path, create } of catalogue.all()) {
        if (!create || create.path !== `/${path}`) continue
        const address = `${BASE}/${path}/new`
        const page = await person.get(address)
        expect([path, page.status, MISTAKES.exec(page.html)?.[0]]).toEqual([path, 200, undefined])
        const required = Object.entries(create.body ?? {}).filter(([, { spec }]) => spec.required)
        if (ASK_FIRST.includes(path)) continue
        expect([path, page.html.includes('name="form_key"')]).toEqual([path, !SHOWN_ONCE.includes(path)])
        if (required.length === 0) continue
        const refused = await person.submit(address, { metadata: 'kept: "as typed"' })
        expect([path, refused.status >= 400 && refused.status < 500]).toEqual([path, true])
        expect([path, refused.html.includes('role="alert"')]).toEqual([path, true])
        if (page.html.includes('name="metadata"')) expect(refused.html).toContain('kept: &quot;as typed&quot;')
      }
    })

    it('say what is wrong in the words of the form, and lead to the field', async () => {
      const price = await person.submit(`${BASE}/price_variants/new`, {})
      expect(price.html).toContain('<a href="#field-product">Choose a product.</a>')
      const discount = await person.submit(`${BASE}/discounts/new`, {})
      expect(discount.html).toContain('Choose a type.')
      const formation = await person.submit(`${BASE}/formations/new`, {})
      expect(formation.html).toContain('Owners 1: address, line 1 can&#39;t be blank.')
    })

    it('ask in one line for what has a pattern', async () => {
      expect((await person.get(`${BASE}/tags/new`)).html).toMatch(/<input type="text"[^>]* name="color"/)
    })

    it('say in a sentence why a list cannot be shown', async () => {
      const { status, html } = await person.get(`${BASE}/products?status=nonsense`)
      expect([status, words(html)]).toEqual([400, expect.stringContaining('Choose a status from the list. ')])
    })

    it('ask a list without entries for nothing, and lead to the first one', async () => {
      const { userId } = await shop.running.another(`empty-${Math.random().toString(36).slice(2, 8)}`)
      const other = await signIn(shop.running, userId)
      const { location } = await other.get('/dashboard')
      const { html } = await other.get(`${location}/products`)
      expect(html).toContain(`href="${location}/products/new"`)
      const contentOf = (page: string) => page.slice(page.indexOf('<main'), page.indexOf('</main>'))
      for (const part of ['role="search"', 'products.csv']) expect(contentOf(html)).not.toContain(part)
      expect(contentOf((await other.get(`${location}/products?status=draft`)).html)).toContain('role="search"')
    })

    it('answer things of another account as if there were none', async () => {
      const { userId } = await shop.running.another(`other-${Math.random().toString(36).slice(2, 8)}`)
      const other = await signIn(shop.running, userId)
      const [, subdomain] = (await other.get('/dashboard')).location!.match(/^\/dashboard\/(.+)$/)!
      for (const { path, noun, retrieve, update, remove, actions } of catalogue.all()) {
        const id = ids[noun.name]
        if (!retrieve?.addressed || !id) continue
        const more = [...(update ? ['edit'] : []), ...(remove ? ['delete'] : []), ...actions.keys()]
        for (const end of ['', ...more.map((one) => `/${one}`)]) {
          const address = `/dashboard/${subdomain}/${path}/${id}${end}`
          const unknown = `/dashboard/${subdomain}/${path}/${id.replace(/.$/, id.endsWith('0') ? '1' : '0')}${end}`
          const [theirs, none] = [await other.get(address), await other.get(unknown)]
          expect([address, theirs.status, none.status]).toEqual([address, 404, 404])
        }
      }
      expect((await other.get(`${BASE}/orders`)).status).toBe(404)
    })
  })
})
