import { describe, expect, it } from 'vitest'
import { onGateEngine } from '../support/shop.ts'
import { Visitor } from './visitor.ts'

const HOSTILE = '</script><script>alert(1)</script>\u0007 & “tea”'

describe('What a storefront says to programs', () => {
  onGateEngine((shop) => {
    const open = (address: string) => new Visitor(shop.running.url).open(address)
    const dataOf = (html: string) =>
      JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)?.[1] ?? 'null')

    it('gives a product’s offers, stock and rating, and a card with its price', async () => {
      const picture = await shop.file({ width: 1200, height: 900, alternative_text: 'Two tins' })
      const product = await shop.product({ name: HOSTILE, status: 'active', media: [picture] })
      await shop.price(product.id, { amount: 1850, quantity_available: 0 })
      for (const rating of [5, 4]) await shop.review(product.id, { rating, published: true })
      const { html } = await open(product.url)
      expect(html.match(/<script/g)).toHaveLength(1)
      expect(dataOf(html)).toMatchObject({
        name: product.name,
        image: [expect.stringContaining(picture)],
        aggregateRating: { ratingValue: 4.5, reviewCount: 2 },
        offers: [{ price: '18.50', priceCurrency: 'USD', availability: 'https://schema.org/OutOfStock' }],
      })
      expect(html).toContain('<meta property="product:price:amount" content="18.50">')
      expect(html).toContain('<meta name="twitter:card" content="summary_large_image">')
      expect(html).toMatch(/<img src="[^"]+" alt="Two tins" decoding="async" width="1200" height="900"/)
      expect(html).toContain('★★★★<span class="half">★</span>')
      expect(html).toContain('4.5 of 5 stars')
      expect([html.includes('Sold out.'), html.includes('class="buy-bar"')]).toEqual([true, false])
    })

    it('says how often a subscription is paid, and nothing of prices that buyers choose', async () => {
      const { id, url } = await shop.product({ status: 'active' })
      await shop.price(id, { billing_type: 'subscription', recurring_interval: 'month', interval_count: 3 })
      await shop.price(id, { amount_type: 'custom', amount: 0 })
      const { html } = await open(url)
      const [only, ...others] = dataOf(html).offers
      expect(others).toEqual([])
      expect(only.priceSpecification).toMatchObject({ price: '10.00', billingIncrement: 3, unitCode: 'MON' })
      expect(html).not.toContain('product:price')
      expect(html).toContain('href="#buy">See prices</a>')
    })

    it('lists what is public in its feed and its sitemap, and nothing else', async () => {
      const { storefront_url: storefront } = await shop.get('/account')
      const shown = await shop.product({ name: `Shown ${HOSTILE}`, status: 'active' })
      const draft = await shop.product({ name: 'Draft' })
      const listed = await shop.blogPost({ title: 'Listed', status: 'published', published_at: '2026-01-02T00:00:00Z' })
      const hidden = await shop.blogPost({
        title: 'Hidden',
        status: 'published',
        published_at: '2026-01-02T00:00:00Z',
        indexable: 0,
      })
      for (const path of ['feed.xml', 'sitemap.xml']) {
        const { html, headers, status } = await open(`${storefront}/${path}`)
        expect([status, headers.get('content-type')]).toEqual([200, expect.stringMatching(/xml; charset=utf-8$/)])
        const slug = async (list: string, id: string) => (await shop.get(`/${list}/${id}`)).url
        expect(html).toContain(`>${shown.url}<`)
        expect(html).toContain(await slug('blog_posts', listed))
        expect(html).not.toContain(await slug('blog_posts', hidden))
        expect(html).not.toContain(draft.url)
        expect([html.includes('<script'), html.includes('\u0007')]).toEqual([false, false])
        const again = await new Visitor(shop.running.url).open(`${storefront}/${path}`, {
          headers: { 'If-None-Match': headers.get('etag')! },
        })
        expect(again.status).toBe(304)
      }
      expect((await open('/s/nobody/feed.xml')).status).toBe(404)
    })

    it('keeps robots from what is for one person, and names no shop', async () => {
      const { html, headers } = await open('/robots.txt')
      expect(headers.get('content-type')).toBe('text/plain; charset=utf-8')
      for (const path of ['/dashboard', '/access/', '/checkout/', '/buy/'])
        expect(html).toContain(`Disallow: ${path}\n`)
      expect(html).not.toMatch(/my-shop|sitemap/i)
    })
  })
})
