import { describe, expect, it } from 'vitest'
import { siteHosts } from '../../src/features/sites/pages/serve.ts'
import { hostAddresses } from '../../src/pages/hosts/routes.ts'
import type { PageRequest } from '../../src/pages/parts/page-parts.ts'
import { askAt } from '../support/at-host.ts'
import { type Body, onGateEngine, type Shop } from '../support/shop.ts'

const BRIEF = 'Hand-made paper, calm and fast, with an archive.'
let made = 0

describe('The site of a brief', () => {
  onGateEngine((service) => {
    const account = async (): Promise<Shop> => service.as(await service.running.another(`served-${++made}`))
    /** A site that is built. */
    async function built(shop: Shop, values: object = {}): Promise<Body> {
      const { id } = await shop.post('/sites', { prompt: BRIEF, subdomain: `paper-${++made}`, ...values })
      await service.settled()
      return shop.get(`/sites/${id}`)
    }
    const ask = (site: Body, path = '/', options = {}) =>
      askAt(service.running, `${site.subdomain}.localhost`, path, options)

    it('is built by the service and served at its own host', async () => {
      const shop = await account()
      const product = await shop.product({ name: 'Cotton paper', description: 'A4, 200 g.' })
      await shop.price(product.id, { amount: 1800 })
      await shop.patch(`/products/${product.id}`, { status: 'active' })
      const site = await built(shop)
      const { port } = new URL(service.running.url)
      expect(site).toMatchObject({
        ...{ build_status: 'live', is_live: true },
        app_url: `http://${site.subdomain}.localhost:${port}`,
      })
      const page = await ask(site)
      expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
      for (const words of ['Cotton paper', '$18.00', BRIEF, 'Made with Shopwright']) expect(page.text).toContain(words)
      const style = await ask(site, '/assets/style.css')
      expect([style.status, style.headers['content-type']]).toEqual([200, 'text/css; charset=utf-8'])
      const [run] = (await shop.get(`/task_runs?ai_task_id=${site.build_task_id}`)).data
      expect(run).toMatchObject({ status: 'completed', summary: expect.stringContaining(`app_url: ${site.app_url}`) })
    })

    it('has a strict policy and no cookie', async () => {
      const site = await built(await account())
      const { headers } = await ask(site)
      expect(headers['set-cookie']).toBeUndefined()
      expect(headers).toMatchObject({
        'content-security-policy': expect.stringMatching(
          /default-src 'none'; script-src 'self';.*frame-ancestors 'none'/,
        ),
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'strict-origin-when-cross-origin',
        'cache-control': 'no-cache',
      })
    })

    it('reaches nothing of the service at its host', async () => {
      const shop = await account()
      const site = await built(shop)
      for (const path of [
        '/v1/products',
        '/dashboard',
        '/sign-in',
        '/mcp',
        '/healthz',
        '/docs',
        '/site-hosts?domain=x',
      ])
        expect([path, (await ask(site, path)).status]).toEqual([path, 404])
      for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
        const answer = await ask(site, '/v1/products', { method })
        expect([method, answer.status, answer.headers.allow]).toEqual([method, 405, 'GET, HEAD, OPTIONS'])
      }
      const unknown = await askAt(service.running, 'nobody-has-this.localhost', '/v1/products')
      expect([unknown.status, unknown.text]).toEqual([404, expect.stringContaining('There is no site here')])
    })

    it('answers HEAD, and a client that has the file already', async () => {
      const site = await built(await account())
      for (const path of ['/', '/assets/style.css']) {
        const whole = await ask(site, path)
        const head = await ask(site, path, { method: 'HEAD' })
        expect([head.status, head.bytes.length, head.headers['content-length']]).toEqual([
          ...[200, 0],
          String(whole.bytes.length),
        ])
        const again = await ask(site, path, { headers: { 'If-None-Match': whole.headers.etag! } })
        expect([path, again.status, again.bytes.length]).toEqual([path, 304, 0])
      }
    })

    it('finds pages in folders and without their ending, and says which it does not have', async () => {
      const site = await built(await account())
      await addFile(site, 'about/index.html', '<p>About</p>')
      await addFile(site, 'blog/first.html', '<p>First</p>')
      const folder = await ask(site, '/about?x=1')
      expect([folder.status, folder.headers.location]).toEqual([301, '/about/?x=1'])
      expect((await ask(site, '/about/')).text).toContain('About')
      expect((await ask(site, '/blog/first')).text).toContain('First')
      const missing = await ask(site, '/blog/second')
      expect([missing.status, missing.text]).toEqual([404, expect.stringContaining('Page not found')])
    })

    it('leads nowhere else by a path', async () => {
      const site = await built(await account())
      const paths = [
        '//evil.example/about',
        '/..%2f..%2fetc/passwd',
        '/%2e%2e/%2e%2e/etc/passwd',
        '/a%00b',
        '/%zz',
        '/a%5cb',
      ]
      for (const path of [...paths, `/${'x'.repeat(5_000)}`]) {
        const { status, headers } = await ask(site, path)
        expect([path, status, headers.location]).toEqual([path, 404, undefined])
      }
    })

    it('mentions the service only as long as its owner likes', async () => {
      const shop = await account()
      const site = await built(shop)
      const before = await ask(site)
      const [, style] = /href="(\/\.shopwright\/badge-\w+\.css)"/.exec(before.text)!
      expect((await ask(site, style)).headers['content-type']).toBe('text/css; charset=utf-8')
      await shop.patch(`/sites/${site.id}`, { show_referral_badge: false })
      const after = await ask(site, '/', { headers: { 'If-None-Match': before.headers.etag! } })
      expect([after.status, after.text.includes('Made with')]).toEqual([200, false])
    })

    it('never shows files of another account', async () => {
      const [one, other] = [await built(await account()), await built(await account())]
      await addFile(one, 'secret.txt', 'of one')
      expect((await ask(one, '/secret.txt')).text).toBe('of one')
      expect((await ask(other, '/secret.txt')).status).toBe(404)
    })

    it('moves with its subdomain, at once', async () => {
      const shop = await account()
      const site = await built(shop)
      const moved = await shop.patch(`/sites/${site.id}`, { subdomain: `moved-${++made}` })
      expect(moved.app_url).toContain(`//${moved.subdomain}.localhost`)
      expect([(await ask(site)).status, (await ask(moved)).status]).toEqual([404, 200])
    })

    it('ends with the site, and leaves no bytes', async () => {
      const shop = await account()
      const site = await built(shop)
      const files = () =>
        service.db.selectFrom('site_files').select('id').where('account_id', '=', shop.accountId).execute()
      const [file] = await files()
      const store = service.running.app.services.files.current
      expect(await store.inspect(`${shop.accountId}/${file!.id}`, { maxBytes: 1e6 })).not.toBeNull()
      await shop.delete(`/sites/${site.id}`)
      expect((await ask(site)).status).toBe(404)
      await service.settled()
      expect(await files()).toEqual([])
      expect(await store.inspect(`${shop.accountId}/${file!.id}`, { maxBytes: 1e6 })).toBeNull()
    })

    it('lets a proxy ask for which hosts it may get certificates', async () => {
      const site = await built(await account())
      const asked = async (domain: string) => {
        const { status, text } = await askAt(service.running, '127.0.0.1', `/site-hosts?domain=${domain}`)
        return [status, text]
      }
      expect(await asked(`${site.subdomain}.localhost`)).toEqual([200, ''])
      for (const other of ['nobody-has-this.localhost', 'example.com', '', 'localhost', 'x'.repeat(300)])
        expect([other, ...(await asked(other))]).toEqual([other, 404, ''])
    })

    it('answers for a host that it knows however many others strangers name to the proxy', async () => {
      const site = await built(await account())
      const { app, url } = service.running
      const { database, services } = app
      const parts = { database, services, publicUrl: url, ownHosts: [], log: { error: () => {} } }
      const hostPages = [siteHosts(parts)!]
      const incoming = { address: '127.0.0.1', header: () => null } as unknown as PageRequest
      const busy = hostAddresses({ ...parts, hostPages, takeTurn: async () => 60 }, () => incoming)
      const asked = async (host: string) => (await busy.request(`/site-hosts?domain=${host}`)).status
      expect([await asked(`${site.subdomain}.localhost`), await asked('example.com')]).toEqual([200, 429])
    })

    /** Puts a file into the build that a site shows. */
    async function addFile(site: Body, path: string, text: string): Promise<void> {
      const { account_id, current_build: build } = await service.db
        .selectFrom('sites')
        .select(['account_id', 'current_build'])
        .where('id', '=', site.id)
        .executeTakeFirstOrThrow()
      const id = `sitefile_added${++made}`
      const content_type = path.endsWith('.html') ? 'text/html; charset=utf-8' : 'text/plain; charset=utf-8'
      const row = { account_id, build: build!, path, id, content_type, size: text.length, sha256: `added${made}` }
      await service.running.app.database.transaction(({ db }) => db.insertInto('site_files').values(row).execute())
      const chunks = (async function* () {
        yield Buffer.from(text)
      })()
      await service.running.app.services.files.current.write(`${account_id}/${id}`, chunks, { maxBytes: 1000 })
    }
  })
})
