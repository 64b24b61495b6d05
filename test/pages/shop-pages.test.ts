import { describe, expect, it } from 'vitest'
import { priceForSale } from '../support/sell.ts'
import { onGateEngine } from '../support/shop.ts'
import { type Seen, Visitor } from './visitor.ts'

describe('The pages of a shop', () => {
  onGateEngine((shop) => {
    const open = (address: string, init: RequestInit = {}): Promise<Seen> =>
      new Visitor(shop.running.url).open(address, init)
    const home = async () => `/s/${(await shop.get('/account')).subdomain}`

    it('show an active product with its prices, and the way to buy each', async () => {
      const product = await shop.product({
        ...{ name: 'Tea & Co', status: 'active', description: 'Green.\n\nAnd black.', button_cta: 'Take it' },
        ...{ body_html: '<h2>Leaves</h2><script>alert(1)</script>', seo_description: 'Tea of "two" kinds' },
      })
      const low = await shop.price(product.id, { name: 'Tin', amount: 1850, discounted_from_amount: 2000 })
      const club = {
        billing_type: 'subscription',
        recurring_interval: 'month',
        interval_count: 3,
        trial_period_days: 7,
      }
      await shop.price(product.id, { name: 'Club', amount: 2400, setup_fee_amount: 100, ...club })
      await shop.price(product.id, { name: 'Gone', amount: 100, quantity_available: 0 })
      await shop.price(product.id, { name: 'Hidden', amount: 9999, hidden: true })
      await shop.review(product.id, { rating: 4, content: 'Warm', customer_name: 'Ada' })
      await shop.review(product.id, { rating: 1, content: 'Secret', published: false })
      const { status, html, text } = await open(product.url)
      expect(status).toBe(200)
      expect(html).toContain(`<link rel="canonical" href="${product.url}">`)
      expect(html).toContain('<meta name="description" content="Tea of &quot;two&quot; kinds">')
      expect(html).toContain(`href="${low.purchase_url}"`)
      for (const words of [
        ...['Tea & Co', '4.0 1 review', 'Green.', 'And black.', 'Leaves', 'Tin $18.50 instead of $20.00'],
        ...['Club $24.00 every 3 months The first 7 days are free. A setup fee of $1.00', 'Take it : Club'],
        ...['Gone $1.00 Sold out.', 'Warm Ada'],
      ])
        expect(text).toContain(words)
      expect(html).not.toMatch(/<script(?! type="application\/ld\+json")|Secret|99\.99/)
    })

    it('hide what is no longer or not yet published, as if it had never been', async () => {
      const product = await shop.product()
      const post = await shop.get(`/blog_posts/${await shop.blogPost({ status: 'draft' })}`)
      const unknown = await open(`${await home()}/p/unknown`)
      expect(unknown.status).toBe(404)
      for (const address of [product.url, post.url]) expect((await open(address)).html).toBe(unknown.html)
      await shop.patch(`/products/${product.id}`, { status: 'active' })
      expect((await open(product.url)).text).toContain('This is not currently for sale')
      await shop.patch(`/products/${product.id}`, { status: 'archived' })
      expect((await open(product.url)).html).toBe(unknown.html)
    })

    it('say from when and until when a product is sold', async () => {
      const window = { available_from: '2090-05-05T10:30:00Z' }
      const { product } = await priceForSale(shop, {}, window)
      const { url } = await shop.get(`/products/${product}`)
      expect((await open(url)).text).toContain('Not for sale before 5 May 2090 at 10:30 UTC.')
      await shop.patch(`/products/${product}`, { available_from: null, available_until: '2020-01-01T00:00:00Z' })
      expect((await open(url)).text).toContain('Has not been for sale since 1 January 2020')
    })

    it('show nothing of another shop', async () => {
      const other = shop.as(await shop.running.another('other-shop'))
      const product = await shop.product({ status: 'active', slug: 'only-here' })
      expect((await open(product.url.replace(/\/s\/[^/]+/, '/s/other-shop'))).status).toBe(404)
      const twin = await other.post('/products', { name: 'Twin of the other', status: 'active', slug: 'only-here' })
      expect((await open(twin.url)).text).toContain('Twin of the other')
      expect((await open(product.url)).text).not.toContain('Twin of the other')
    })

    it('list products and posts, a page at a time', async () => {
      const url = await home()
      for (let number = 0; number < 25; number++) await shop.product({ name: `Number ${number}.`, status: 'active' })
      const first = await open(url)
      expect(first.text).toContain('Number 24.')
      expect(first.text).not.toContain('Number 0.')
      expect((await open(`${url}?page=2`)).text).toContain('Number 0.')
      for (const page of ['99', '0', '-1', 'two']) expect((await open(`${url}?page=${page}`)).status).toBe(404)
      const published = { published_at: '2026-01-02T00:00:00Z', author: 'Ada', indexable: 0 }
      const post = await shop.get(`/blog_posts/${await shop.blogPost({ title: 'On tea', ...published })}`)
      const list = await open(`${url}/blog`)
      expect(list.text).toContain('On tea 2 January 2026 , by Ada Words')
      expect(list.html).toContain(`href="${post.url}"`)
      await shop.blogPost({ title: 'On words', content: `<p>${'teapot '.repeat(40)}</p>`, ...published })
      expect((await open(`${url}/blog`)).text).toMatch(/(teapot ){27}teapot…/)
      expect((await open(post.url)).html).toContain('content="noindex, nofollow"')
    })

    it('are not sent again to whoever has them, until they change', async () => {
      const product = await shop.product({ status: 'active' })
      const etag = (await open(product.url)).headers.get('etag')!
      const held = { headers: { 'If-None-Match': `W/"other", ${etag}` } }
      expect(await open(product.url, held)).toMatchObject({ status: 304, html: '' })
      await shop.patch(`/products/${product.id}`, { name: 'Another name' })
      expect((await open(product.url, held)).status).toBe(200)
      const post = await open(product.url, { method: 'POST' })
      expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
    })
  })
})
