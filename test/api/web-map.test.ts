import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { byCategory, categoryOf } from '../../src/resources/content/web-map/map.ts'
import { startAgent } from '../mcp/agent.ts'
import { type Site, startSite } from '../support/local-site.ts'
import { type Body, onGateEngine, type Shop } from '../support/shop.ts'

const FIRST = 1000
let made = 0

describe('The category of a URL', () => {
  it('follows from the first telling word of its path', () => {
    const expected = {
      pages: ['/', '/about', '/about/team', '/contact.html', '/index.php', '/über-uns'],
      blog: ['/blog', '/blog/our-privacy-at-work', '/2026/news/x', '/Articles/1'],
      products: ['/products/tea', '/shop', '/pricing', '/en/collections/green'],
      docs: ['/docs/api', '/help', '/files/manual.pdf', '/white-paper.pdf', '/api/v1'],
      legal: ['/privacy-policy', '/legal', '/terms-of-service', '/de/impressum'],
      media: ['/images/', '/logo.png', '/blog/photo.jpeg', '/a/b/c/film.mp4'],
      other: ['/a/b/c', '/feed.json', '/one/two/three/four'],
    }
    for (const [category, paths] of Object.entries(expected))
      for (const path of paths) expect([path, categoryOf(`https://example.com${path}`)]).toEqual([path, category])
  })

  it('is one for each URL, and absent without any', () => {
    const urls = ['/docs', '/', '/blog', '/about'].map((path) => `https://example.com${path}`)
    expect(byCategory(urls)).toEqual({ pages: [urls[1], urls[3]], blog: [urls[2]], docs: [urls[0]] })
    expect(Object.keys(byCategory(urls))).toEqual(['pages', 'blog', 'docs'])
  })
})

describe('Mapping a site', () => {
  let site: Site
  beforeAll(async () => {
    site = await startSite({ '/': '<a href="/about">x</a><a href="/blog/hello">x</a><a href="/docs">x</a>' })
  })
  afterAll(() => site.close())

  onGateEngine((shop) => {
    const account = async () => shop.as(await shop.running.another(`maps-${++made}`, { test: true }))
    const balance = async (own: Shop): Promise<number> => (await own.get('/account')).credit_balance
    const map = (own: Shop, body: object = {}) => own.api('POST', '/web/map', { url: site.url, ...body })

    it('answers its URLs in exactly five fields, and costs one credit', async () => {
      const own = await account()
      const { status, body } = await map(own)
      const at = (path: string) => site.url + path
      expect([status, body]).toEqual([
        200,
        {
          url: at('/'),
          total_urls: 4,
          urls: [at('/'), at('/about'), at('/blog/hello'), at('/docs')],
          categorized_urls: { pages: [at('/'), at('/about')], blog: [at('/blog/hello')], docs: [at('/docs')] },
          timestamp: expect.stringMatching(/Z$/),
        },
      ])
      expect(await balance(own)).toBe(FIRST - 1)
      const entries = shop.db.selectFrom('credit_entries').select(['kind', 'delta', 'reason', 'reference'])
      expect(await entries.where('account_id', '=', own.accountId).orderBy('id').execute()).toMatchObject([
        { kind: 'opening' },
        { kind: 'reserved', delta: -1, reason: 'web_map', reference: `127.0.0.1:${site.port}` },
        { kind: 'settled', delta: 0 },
      ])
    })

    it('lists as many as the limit says, by its older name too', async () => {
      const own = await account()
      expect((await map(own, { limit: 2 })).body.total_urls).toBe(2)
      expect((await map(own, { max_urls: 3 })).body.total_urls).toBe(3)
      for (const limit of [0, 501, 1.5]) expect([limit, (await map(own, { limit })).status]).toEqual([limit, 422])
    })

    it('refuses addresses that nobody may be sent to, at no cost', async () => {
      const own = await account()
      const wrong = ['ftp://example.com', 'http://10.0.0.1/', '169.254.169.254', 'http://[::ffff:10.0.0.1]/', 'a b.com']
      for (const url of [...wrong, 'http://user:secret@example.com', 'example.com:22', 'intranet', 'mailto:a@b.c'])
        expect([url, Object.keys(await own.refusal('POST', '/web/map', { url }))]).toEqual([url, ['url']])
      expect(await own.refusal('POST', '/web/map', {})).toEqual([400, 'parameter_missing', 'url'])
      expect(await balance(own)).toBe(FIRST)
    })

    it('charges nothing for a site that gives nothing, and says why', async () => {
      const own = await account()
      const closed = await startSite({ '/robots.txt': 'User-agent: *\nDisallow: /' })
      const { status, body } = await map(own, { url: closed.url })
      expect([status, body.error.code]).toEqual([502, 'upstream_failed'])
      expect(body.error.message).toBe(
        `${closed.url}/ could not be mapped. robots.txt disallows ${closed.url}/. Nothing was charged.`,
      )
      await closed.close()
      expect((await map(own, { url: closed.url })).body.error.message).toContain('The connection was refused.')
      expect(await balance(own)).toBe(FIRST)
    })

    it('asks nothing outside once the credits are used up, however many calls come together', async () => {
      const own = await account()
      await shop.set('accounts', own.accountId, { credit_balance: 3 })
      const asked = () => site.asked.filter((path) => path === '/robots.txt').length
      const before = asked()
      const answers: Body[] = await Promise.all(Array.from({ length: 10 }, () => map(own)))
      expect(answers.map(({ status }) => status).sort()).toEqual([...Array(3).fill(200), ...Array(7).fill(402)])
      expect(asked() - before).toBe(3)
      expect(await balance(own)).toBe(0)
    })

    it('charges a repeated request once', async () => {
      const own = await account()
      const options = { headers: { 'Idempotency-Key': `map-${++made}` } }
      const first = await own.api('POST', '/web/map', { url: site.url }, options)
      const again = await own.api('POST', '/web/map', { url: site.url }, options)
      expect(again.body).toEqual(first.body)
      expect(again.headers.get('idempotent-replayed')).toBe('true')
      expect(await balance(own)).toBe(FIRST - 1)
    })
  })

  onGateEngine(
    (shop) => {
      it('reaches no address of this machine', async () => {
        for (const url of [site.url, `http://localhost:${site.port}`, `http://[::1]:${site.port}`])
          expect(Object.keys(await shop.refusal('POST', '/web/map', { url }))).toEqual(['url'])
      })
    },
    { OUTSIDE_ALLOW_LOOPBACK: 'false' },
  )

  it('has a lower rate limit of its own', async () => {
    const agent = await startAgent({ settings: { RATE_LIMIT_SLOW_PER_MINUTE: '2' } })
    const statuses: number[] = []
    for (let call = 0; call < 3; call++)
      statuses.push((await agent.app.api('POST', '/web/map', { url: site.url })).status)
    expect(statuses).toEqual([200, 200, 429])
    await agent.close()
  })

  it('can be done by a program before it writes, and neither after that nor in a dry run', async () => {
    const agent = await startAgent()
    const call = `post("/web/map", url: "${site.url}")`
    expect((await agent.execute(`${call}["total_urls"]`)).structuredContent.result).toBe(4)
    const written = await agent.execute(`post("/tags", name: "Written")\n${call}`)
    expect(JSON.stringify(written.structuredContent)).toContain('has external effects')
    const dry = await agent.execute(`# dry_run: true\n${call}`)
    expect(JSON.stringify(dry.structuredContent)).toContain('has external effects')
    await agent.close()
  })
})
