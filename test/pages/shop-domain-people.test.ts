import { expect, it } from 'vitest'
import { messagesTo } from '../people/person.ts'
import { describeOwnDomains, HERE, SERVICE } from '../support/own-domains.ts'
import { signIn } from '../support/person.ts'
import { words } from '../support/words.ts'

let made = 0

describeOwnDomains(
  'People of a shop at a domain of its own',
  (service, { at, addressOf, another, newDomain, give, publish, served }) => {
    it('has the page of its buyers, with cookies of this host alone', async () => {
      const shop = await another()
      const domain = await served(shop)
      const email = `buyer-${++made}@example.com`
      await shop.post('/customers', { email })
      const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
      expect((await at(domain, '/access')).text).toContain('action="/access"')
      const foreign = { method: 'POST', headers: { ...form, Origin: addressOf(SERVICE) }, body: `email=${email}` }
      expect((await at(domain, '/access', foreign)).status).toBe(403)
      const asked = { method: 'POST', headers: { ...form, Origin: addressOf(domain) }, body: `email=${email}` }
      expect((await at(domain, '/access', asked)).status).toBe(200)
      await service.settled()
      const letter = (await messagesTo(service, email)).at(-1)!
      const [link] = /http\S+\/access\/link\/[\w-]{43}/.exec(letter)!
      expect(link.startsWith(`${addressOf(domain)}/access/link/`)).toBe(true)
      const { pathname } = new URL(link)
      expect((await at(domain, pathname)).text).toContain(`action="${pathname}"`)
      const entered = await at(domain, pathname, { method: 'POST', headers: form })
      expect([entered.status, entered.headers.location]).toEqual([303, '/access'])
      const [cookie] = entered.headers['set-cookie']!
      expect(cookie).toMatch(/^shopwright_buyer=[^;]+; Path=\/access; Max-Age=\d+; HttpOnly; SameSite=Lax$/)
      const headers = { Cookie: cookie!.split(';')[0]! }
      const inside = await at(domain, '/access', { headers })
      expect(inside.text).toContain(email)
      expect(inside.text).not.toContain('/s/own-')
      const changed = { method: 'POST', headers: { ...form, ...headers }, body: 'name=Ada&do=name' }
      expect((await at(domain, '/access/details', changed)).headers.location).toMatch(/^\/access\/details/)
      expect((await at(await served(await another()), '/access', { headers })).text).not.toContain(email)
      const out = await at(domain, '/access/sign-out', { method: 'POST', headers: { ...form, ...headers } })
      expect(out.headers['set-cookie']![0]).toContain('Path=/access; Max-Age=0')
    })

    it('is set up in the settings of the look', async () => {
      const person = await signIn(service.running)
      await give(service, null)
      const domain = newDomain()
      const page = '/dashboard/my-shop/settings/branding'
      const wrong = await person.submit(page, { storefront_domain: 'https://x.example.com' }, `${page}/domain`)
      expect([wrong.status, words(wrong.html)]).toEqual([
        422,
        expect.stringContaining('must be a domain without https://'),
      ])
      const saved = await person.submit(page, { storefront_domain: domain.toUpperCase() }, `${page}/domain`)
      expect(saved.location).toContain(page)
      const pending = words((await person.get(page)).html)
      for (const part of ['Waiting for DNS', `_shopwright.${domain}`, 'CNAME', SERVICE]) expect(pending).toContain(part)
      publish(await service.get('/account'), HERE)
      await person.submit(page, { storefront_domain: domain }, `${page}/domain`)
      await service.settled()
      expect(words((await person.get(page)).html)).toContain('Your shop is at')
      await person.submit(page, { storefront_domain: '' }, `${page}/domain`)
      expect((await service.get('/account')).storefront_domain).toBe(null)
    })
  },
)
