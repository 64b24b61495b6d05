import { expect, it } from 'vitest'
import { describeOwnDomains, ELSEWHERE, HERE, SERVICE } from '../support/own-domains.ts'

let made = 0

describeOwnDomains(
  'A shop at a domain of its own',
  (service, { at, addressOf, another, newDomain, give, publish, checked, served, nextCheck }, names) => {
    it('says what to set, and is verified once the domain has it and leads here', async () => {
      const shop = await another()
      const old = (await shop.get('/account')).storefront_url
      const domain = newDomain()
      const wanted = await give(shop, domain)
      expect(wanted).toMatchObject({
        storefront_domain: domain,
        storefront_domain_verified: false,
        storefront_url: old,
        storefront_domain_records: [
          {
            type: 'TXT',
            name: `_shopwright.${domain}`,
            value: expect.stringMatching(/^shopwright-shop=[\w-]{43}$/),
          },
          { type: 'CNAME', name: domain, value: SERVICE },
        ],
      })
      const { storefront_domain_records: records } = wanted
      const verified = async () => (await checked(shop, domain)).storefront_domain_verified
      expect(await verified()).toBe(false)
      names().hosts.set(domain, [HERE])
      expect(await verified()).toBe(false)
      publish(wanted, ELSEWHERE)
      expect(await verified()).toBe(false)
      publish(wanted, HERE, ELSEWHERE)
      expect(await verified()).toBe(false)
      publish({ ...wanted, storefront_domain_records: [{ ...records[0], value: `${records[0].value}x` }] }, HERE)
      expect(await verified()).toBe(false)
      expect((await at(domain)).text).not.toContain(`own-`)
      publish(wanted, HERE)
      const events = await service.eventsOf(() => checked(shop, domain))
      expect(events.filter(({ type }) => type === 'account.updated')).toMatchObject([
        {
          data: { storefront_domain_verified: true, storefront_url: addressOf(domain) },
          previous: { storefront_domain_verified: false, storefront_url: old },
        },
      ])
      expect(events[0]!.data).not.toHaveProperty('storefront_domain_records')
      expect((await shop.get('/account')).storefront_domain_records).toEqual(records)
    })

    it('takes a domain in every spelling, and nothing that is none', async () => {
      const shop = await another()
      const number = ++made
      for (const [given, domain] of [
        [`  Shop-${number}.EXAMPLE.com. `, `shop-${number}.example.com`],
        [`Läden-${number}.example`, `xn--lden-${number}-5wa.example`],
      ] as const) {
        const { storefront_domain: kept } = await give(shop, given)
        expect(kept.replace(/^xn--lden-.*\.example$/, 'xn--lden')).toBe(
          domain.replace(/^xn--lden-.*\.example$/, 'xn--lden'),
        )
        expect((await give(shop, kept)).storefront_domain).toBe(kept)
      }
      const none = [
        'example',
        'https://a.example.com',
        'a.example.com:80',
        'a.example.com/x',
        '10.0.0.1',
        '[::1]',
        'a..com',
      ]
      for (const given of [
        ...none,
        'a b.com',
        '-a.com',
        `${'a'.repeat(64)}.com`,
        `${'a.'.repeat(127)}com`,
        SERVICE,
        'x.sites.test',
      ])
        expect([given, Object.keys(await shop.refusal('PATCH', '/account', { storefront_domain: given }))]).toEqual([
          given,
          ['storefront_domain'],
        ])
      expect(await give(shop, null)).toMatchObject({ storefront_domain: null, storefront_domain_records: [] })
    })

    it('is served with all of its pages, whose addresses follow', async () => {
      const shop = service
      const product = await shop.product({ name: 'Tea of the domain', status: 'active' })
      const price = await shop.price(product.id)
      const post = await shop.blogPost({ title: 'A post', status: 'published', published_at: '2026-01-02T00:00:00Z' })
      const domain = await served(shop)
      const home = addressOf(domain)
      const { slug, url } = await shop.get(`/products/${product.id}`)
      expect(url).toBe(`${home}/p/${slug}`)
      const postUrl = (await shop.get(`/blog_posts/${post}`)).url
      expect(postUrl.startsWith(`${home}/blog/`)).toBe(true)
      for (const path of ['/', `/p/${slug}`, '/blog', new URL(postUrl).pathname]) {
        const { status, text, headers } = await at(domain, path)
        const own = path === '/' ? home : home + path
        expect([path, status]).toEqual([path, 200])
        expect(text).toContain(`<link rel="canonical" href="${own}">`)
        expect(text).toContain(`<meta property="og:url" content="${own}">`)
        expect(text).not.toContain('/s/my-shop')
        expect(headers['content-security-policy']).toContain(`img-src 'self' http://${SERVICE}`)
        for (const [, sheet] of text.matchAll(/rel="stylesheet" href="([^"]+)"/g))
          expect([sheet, (await at(domain, sheet)).headers['content-type']]).toEqual([sheet, 'text/css; charset=utf-8'])
      }
      expect((await at(domain, `/p/${slug}`)).text).toContain(`href="${addressOf(SERVICE)}/buy/${price.id}"`)
      for (const path of ['/sitemap.xml', '/feed.xml']) {
        const { text } = await at(domain, path)
        expect(text).toContain(`>${home}/p/${slug}<`)
        expect(text).not.toContain(`${addressOf(SERVICE)}/`)
      }
      expect((await at(domain, '/robots.txt')).text).toContain(`Sitemap: ${home}/sitemap.xml\n`)
      const held = (await at(domain)).headers.etag!
      expect((await at(domain, '/', { headers: { 'If-None-Match': held } })).status).toBe(304)
    })

    it('answers to every spelling of its host, and at no other', async () => {
      const shop = await another()
      const domain = await served(shop)
      const { name } = await shop.get('/account')
      for (const host of [domain, domain.toUpperCase(), `${domain}.`]) expect((await at(host)).text).toContain(name)
      for (const host of [`x${domain}`, `x.${domain}`, `www.x.${domain}`, 'stranger.example', newDomain()])
        expect([host, (await at(host)).text.includes(`canonical" href="${addressOf(domain)}`)]).toEqual([host, false])
      const asked = async (host: string) => (await at(SERVICE, `/site-hosts?domain=${host}`)).status
      const hosts = [domain, domain.toUpperCase(), `x.${domain}`, SERVICE, `www.${SERVICE}`]
      expect(await Promise.all(hosts.map(asked))).toEqual([200, 200, 404, 404, 404])
    })

    it('shows nothing else of the service, and nothing of other shops', async () => {
      const [shop, other] = [await another(), await another()]
      const domain = await served(shop)
      const { subdomain } = await other.get('/account')
      const paths = ['/dashboard', '/sign-in', '/docs', '/v1/account', '/mcp', '/healthz', '/metrics', '/site-hosts']
      for (const path of [
        ...paths,
        `/s/${subdomain}`,
        `/s/${subdomain}/access`,
        '//',
        '/p/',
        '/../s/x',
        '/buy/x',
        '/access/../../v1',
      ]) {
        const { status, text } = await at(domain, path, {
          headers: { Authorization: `Bearer ${service.running.token}` },
        })
        expect([path, status, text.includes('Page not found')]).toEqual([path, 404, true])
        expect(text).not.toContain(subdomain)
      }
      expect((await at(domain, '/v1/products', { method: 'POST' })).status).toBe(404)
      expect((await at(domain, '/', { method: 'POST' })).status).toBe(405)
    })

    it('leads visitors of the old address to the new one, for as long as there is one', async () => {
      const shop = await another()
      const { subdomain, storefront_url: old } = await shop.get('/account')
      const domain = await served(shop)
      for (const [path, query] of [
        ['', ''],
        ['/', ''],
        ['/p/tea', '?a=1&b=%2F'],
        ['/access/link/x', ''],
        ['/feed.xml', ''],
      ]) {
        const { status, headers } = await at(SERVICE, `/s/${subdomain}${path}${query}`)
        expect([status, headers.location]).toEqual([301, `${addressOf(domain)}${path}${query}`])
        expect([headers['cache-control'], headers['referrer-policy']]).toEqual(['no-cache', 'no-referrer'])
      }
      expect((await at(SERVICE, `/s/${(await (await another()).get('/account')).subdomain}`)).status).toBe(200)
      expect((await give(shop, null)).storefront_url).toBe(old)
      expect((await at(SERVICE, new URL(old).pathname)).status).toBe(200)
      expect((await at(domain)).text).not.toContain(`/s/${subdomain}`)
      expect((await at(SERVICE, `/site-hosts?domain=${domain}`)).status).toBe(404)
    })

    it('is one of one shop or site, and proves nothing for others', async () => {
      const [shop, other] = [await another(), await another()]
      const domain = newDomain()
      const mine = await give(shop, domain)
      const theirs = await give(other, domain)
      expect(mine.storefront_domain_records[0].value).not.toBe(theirs.storefront_domain_records[0].value)
      const site = await other.post('/sites', { prompt: '# agent\nPaper.' })
      const wanted = await other.patch(`/sites/${site.id}`, { domain })
      publish(mine, HERE)
      expect((await checked(other, domain)).storefront_domain_verified).toBe(false)
      expect((await checked(shop, domain)).storefront_domain_verified).toBe(true)
      expect((await checked(other, domain)).storefront_domain_verified).toBe(false)
      expect((await shop.get('/account')).storefront_domain_verified).toBe(true)
      await give(shop, null)
      names().texts.set(wanted.domain_record.name, [wanted.domain_record.value])
      await other.patch(`/sites/${site.id}`, { domain })
      await service.settled()
      expect((await other.get(`/sites/${site.id}`)).domain_verified).toBe(true)
      expect((await checked(shop, domain)).storefront_domain_verified).toBe(false)
    })

    it('is given up once its records are gone for long, and comes back with them', async () => {
      const shop = await another()
      const domain = await served(shop)
      const state = async () => (await shop.get('/account')).storefront_domain_verified
      // Where nothing is known of the service itself, nothing is known of the domain.
      names().hosts.set(SERVICE, [])
      for (let time = 0; time < 4; time++) await nextCheck()
      expect(await state()).toBe(true)
      names().hosts.set(SERVICE, [HERE])
      names().hosts.set(domain, [ELSEWHERE])
      await nextCheck()
      await nextCheck()
      expect(await state()).toBe(true)
      names().hosts.set(domain, [HERE, ELSEWHERE])
      await nextCheck()
      names().hosts.set(domain, [ELSEWHERE])
      await nextCheck()
      await nextCheck()
      expect(await state()).toBe(true)
      await nextCheck()
      expect(await state()).toBe(false)
      const { subdomain, storefront_url } = await shop.get('/account')
      expect(storefront_url).toBe(`${addressOf(SERVICE)}/s/${subdomain}`)
      expect((await at(SERVICE, `/s/${subdomain}`)).status).toBe(200)
      names().hosts.set(domain, [HERE])
      await nextCheck()
      expect(await state()).toBe(true)
      expect((await shop.get('/account')).storefront_url).toBe(addressOf(domain))
    })
  },
)
