import { beforeAll, describe, expect, it } from 'vitest'
import { fieldsOf, type Person, signIn } from '../support/person.ts'
import { onGateEngine } from '../support/shop.ts'

const BASE = '/dashboard/my-shop'
const NEW = `${BASE}/products/new`
/** Runs wherever a page shows it as it is: as an element, in an attribute, in a script, as an address. */
const HOSTILE = `"'><img src=x onerror=alert(1)><script>alert(1)</script>`

describe('The dashboard', () => {
  onGateEngine((shop) => {
    let person: Person
    beforeAll(async () => {
      person = await signIn(shop.running)
    })

    it('sends whoever is not signed in to the page for that, and back to where they wanted to go', async () => {
      const nobody = await fetch(`${shop.running.url}${BASE}/orders?status=failed`, { redirect: 'manual' })
      expect(nobody.status).toBe(303)
      expect(nobody.headers.get('location')).toBe(`/sign-in?next=${encodeURIComponent(`${BASE}/orders?status=failed`)}`)
      const form = await fetch(`${shop.running.url}${NEW}`, { method: 'POST', redirect: 'manual' })
      expect([form.status, form.headers.get('location')]).toEqual([303, '/sign-in'])
    })

    it('takes a form only from its own page and its own person', async () => {
      const page = await person.get(NEW)
      const own: Record<string, string> = { ...fieldsOf(page.html, NEW), name: 'Not to be made' }
      const stranger = await signIn(shop.running, (await shop.running.another(`eve-${Date.now() % 1e6}`)).userId)
      const [, theirBase] = (await stranger.get('/dashboard')).location!.match(/(.*)/)!
      const theirs = fieldsOf((await stranger.get(`${theirBase}/products/new`)).html, `${theirBase}/products/new`)
      const { csrf: _, ...without } = own
      const tries: [string, Record<string, string>, Record<string, string>][] = [
        ['without a token', without, {}],
        ['with an empty token', { ...own, csrf: '' }, {}],
        ['with the token of somebody else', { ...own, csrf: theirs.csrf! }, {}],
        ['from another site', own, { 'Sec-Fetch-Site': 'cross-site' }],
        ['from another subdomain', own, { 'Sec-Fetch-Site': 'same-site' }],
        ['from another origin, in an old browser', own, { 'Sec-Fetch-Site': '', Origin: 'https://evil.example' }],
      ]
      for (const [way, fields, headers] of tries) {
        const answer = await person.post(NEW, fields, headers)
        expect([way, answer.status]).toEqual([way, 403])
      }
      const json = await person.post(NEW, own, { 'Content-Type': 'application/json' })
      expect(json.status).toBe(415)
      expect((await shop.get('/products?query=not+to+be')).data).toEqual([])
      expect((await person.post(NEW, own)).status).toBe(303)
    })

    it('has the headers that keep other sites and injected scripts out, on every answer', async () => {
      for (const path of [
        BASE,
        `${BASE}/products`,
        NEW,
        `${BASE}/products/prod_none`,
        `${BASE}/nothing`,
        '/dashboard/-',
      ]) {
        const { headers } = await person.get(path)
        if (headers.get('location')) continue
        const policy = headers.get('content-security-policy') ?? ''
        expect([path, policy]).toEqual([path, expect.stringContaining("default-src 'none'")])
        expect(policy).toContain("frame-ancestors 'none'")
        expect(policy).not.toContain('unsafe')
        expect([headers.get('x-frame-options'), headers.get('x-content-type-options')]).toEqual(['DENY', 'nosniff'])
        expect([headers.get('cache-control'), headers.get('referrer-policy')]).toEqual(['no-store', 'same-origin'])
      }
    })

    it('shows whatever people and programs have written as text', async () => {
      const product = await shop.post('/products', {
        name: HOSTILE,
        description: HOSTILE,
        metadata: { [HOSTILE.slice(0, 30)]: HOSTILE },
      })
      await shop.post('/customers', { email: 'a@example.com', name: HOSTILE, metadata: { note: HOSTILE } })
      await shop.post('/tags', { name: HOSTILE.slice(0, 50) })
      await shop.post('/forms', { name: HOSTILE, description: HOSTILE })
      await shop.post('/tasks', { name: HOSTILE, prompt: HOSTILE, trigger_type: 'manual', active: false })
      await shop.post('/reviews', { product: product.id, rating: 3, customer_name: HOSTILE, content: HOSTILE })
      const pages = ['products', 'customers', 'tags', 'forms', 'tasks', 'reviews']
      for (const path of pages) {
        const list = await person.get(`${BASE}/${path}`)
        const [id] = new RegExp(`${path}/[a-z]+_[0-9a-z]+`).exec(list.html) ?? ['']
        for (const address of [
          path,
          id,
          `${id}/edit`,
          `${id}/delete`,
          `${path}?query=${encodeURIComponent(HOSTILE)}`,
        ]) {
          const { html } = await person.get(`${BASE}/${address}`)
          expect([address, html.includes('<img src=x'), html.includes('<script>alert')]).toEqual([
            address,
            false,
            false,
          ])
        }
      }
      const refused = await person.submit(`${BASE}/discounts/new`, { code: HOSTILE, percent_off: HOSTILE })
      expect([refused.status, refused.html.includes('<img src=x')]).toEqual([422, false])
    })

    it('leads nowhere else, whatever its address says', async () => {
      for (const path of [
        '//evil.example',
        '/%5Cevil.example',
        '/my-shop//evil.example',
        '/my-shop/%2F%2Fevil.example',
      ]) {
        const { location } = await person.get(`/dashboard${path}`)
        expect([
          path,
          location === null || location.startsWith('/dashboard') || location.startsWith('/sign-in'),
        ]).toEqual([path, true])
      }
    })
  })
})
