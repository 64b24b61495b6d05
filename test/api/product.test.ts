import { describe, expect, it } from 'vitest'
import { type Body, onEachEngine } from '../support/shop.ts'

const UNKNOWN = 'prod_01k9z6v8q2f3x7c5m1n4b0r8ta'

describe('A product', () => {
  onEachEngine((shop) => {
    it('has every field, with defaults where nothing was given', async () => {
      const product = await shop.product({ name: ' Ruby Handbook ' })
      expect(product).toMatchObject({
        object: 'product',
        name: 'Ruby Handbook',
        slug: 'ruby-handbook',
        status: 'draft',
        description: null,
        published_at: null,
        reviews_count: 0,
        average_rating: null,
        media_gallery: [],
        price_variants: [],
        metadata: {},
      })
      expect(product.url).toBe(`${shop.running.url}/s/my-shop/p/ruby-handbook`)
      expect(product).not.toHaveProperty('reviews')
      expect(product).not.toHaveProperty('media')
      expect(await shop.get(`/products/${product.id}`)).toEqual(product)
    })

    it('numbers a generated slug that is taken and refuses a given one', async () => {
      const names = ['Größe & Maß', "Ada's", '🎉🎉', '!!!', 'a'.repeat(100)]
      const slugs = await Promise.all(names.map(async (name) => (await shop.product({ name })).slug))
      expect(slugs.slice(0, 2)).toEqual(['grosse-mass', 'adas'])
      expect(slugs.slice(2, 4).sort()).toEqual(['product', 'product-1'])
      expect(slugs[4]).toMatch(/^a{90}$/)
      for (const number of [1, 2, 3, 4]) expect((await shop.product({ name: 'Adas' })).slug).toBe(`adas-${number}`)
      expect(await shop.refusal('POST', '/products', { name: 'X', slug: 'adas' })).toEqual({
        slug: ['has already been taken'],
      })
    })

    it('has a readable slug, whatever the script of its name', async () => {
      for (const [name, slug] of [
        ['日本語', 'ri-ben-yu'],
        ['Привет мир', 'privet-mir'],
        ['Crème brûlée', 'creme-brulee'],
        ['Ελλάδα', 'ellada'],
      ]) {
        expect((await shop.product({ name })).slug).toBe(slug)
        expect((await shop.get(`/products/${slug}`)).name).toBe(name)
        expect((await shop.product({ name })).slug).toBe(`${slug}-1`)
      }
    })

    it('takes a slug of its form only, so that none looks like an id', async () => {
      for (const slug of ['Upper', 'a--b', '-a', 'a-', 'a b', 'a_b', 'ä', UNKNOWN, 'a'.repeat(101)]) {
        expect(await shop.refusal('POST', '/products', { name: 'X', slug })).toHaveProperty('slug')
      }
      expect((await shop.product({ slug: 'a'.repeat(100) })).slug).toHaveLength(100)
      expect(await shop.refusal('POST', '/products', { name: 'X', slug: '' })).toHaveProperty('slug')
    })

    it('is found by slug and by id, in paths, bodies and filters', async () => {
      const { id } = await shop.product({ slug: 'by-slug' })
      expect((await shop.get('/products/by-slug')).id).toBe(id)
      expect((await shop.patch('/products/by-slug', { name: 'Renamed' })).id).toBe(id)
      expect((await shop.price('by-slug')).product).toBe(id)
      expect((await shop.review('by-slug')).product).toBe(id)
      expect((await shop.discount({ applies_to_product_ids: ['by-slug', id] })).applies_to_product_ids).toEqual([id])
      expect(await shop.listed('/price_variants?product=by-slug', 'product')).toEqual([id])
      expect(await shop.listed('/reviews?product=by-slug', 'product')).toEqual([id])
      expect(await shop.delete('/products/by-slug')).toEqual({ id, object: 'product', deleted: true })
    })

    it('keeps its slug when it is renamed, and may be given its own again', async () => {
      const { id, slug } = await shop.product({ name: 'First name' })
      expect((await shop.patch(`/products/${id}`, { name: 'Second name', slug })).slug).toBe('first-name')
      const other = await shop.product()
      expect(await shop.refusal('PATCH', `/products/${id}`, { slug: other.slug })).toHaveProperty('slug')
    })

    it('is published by becoming active and no longer by leaving it', async () => {
      expect((await shop.product({ status: 'active' })).published_at).toMatch(/Z$/)
      const { id } = await shop.product()
      const status = (value: string) => shop.patch(`/products/${id}`, { status: value })
      const { published_at } = await status('active')
      expect(published_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
      await shop.set('products', id, { published_at: '2026-01-01T00:00:00Z' })
      expect((await status('active')).published_at).toBe('2026-01-01T00:00:00Z')
      for (const next of ['archived', 'draft', 'archived', 'draft']) {
        expect(await status(next)).toMatchObject({ status: next, published_at: null })
      }
      expect((await status('active')).published_at).not.toBeNull()
      expect(await shop.refusal('PATCH', `/products/${id}`, { status: 'published' })).toEqual({
        status: ['must be one of draft, active, archived'],
      })
      expect((await shop.refusal('PATCH', `/products/${id}`, { status: 'activ' })).status[0]).toContain('"active"')
    })

    it('is available from a moment until a later one', async () => {
      const window = { available_from: '2026-05-01T12:00:00+02:00', available_until: '2026-05-01T10:00:00.900Z' }
      expect(await shop.refusal('POST', '/products', { name: 'X', ...window })).toEqual({
        available_until: ['must be after available_from'],
      })
      const { id, ...product } = await shop.product({ ...window, available_until: '2026-05-01T10:00:01.9Z' })
      expect(product).toMatchObject({
        available_from: '2026-05-01T10:00:00Z',
        available_until: '2026-05-01T10:00:01Z',
      })
      expect(await shop.refusal('PATCH', `/products/${id}`, { available_from: '2026-06-01T00:00:00Z' })).toHaveProperty(
        'available_until',
      )
      expect(await shop.patch(`/products/${id}`, { available_until: null })).toMatchObject({ available_until: null })
      for (const wrong of ['tomorrow', '2026-02-30T00:00:00Z', '2026-05-01', '', '2026-05-01T10:00:00']) {
        expect(await shop.refusal('PATCH', `/products/${id}`, { available_from: wrong })).toHaveProperty(
          'available_from',
        )
      }
    })

    it('holds rich text that can do no harm', async () => {
      const body_html =
        '<h1>Hi</h1><script>alert(1)</script><a href="javascript:x()" onclick="x()">a</a><img src="https://x/y" onerror="x()"><iframe src="x"></iframe><style>b{}</style>'
      const product = await shop.product({ body_html })
      expect(product.body_html).toBe('<h1>Hi</h1><a>a</a><img src="https://x/y" />')
      expect((await shop.patch(`/products/${product.id}`, { body_html: null })).body_html).toBeNull()
      for (const tags of ['<i>'.repeat(101), '<i>x</b>'.repeat(101), '<br>'.repeat(3_001), '<'.repeat(3_001)])
        expect(await shop.refusal('PATCH', `/products/${product.id}`, { body_html: tags })).toEqual({
          body_html: [expect.stringMatching(/too many tags|tags too deep/)],
        })
      for (const tags of ['<p>a'.repeat(1_000), '<i>a</i>'.repeat(1_000), '<BR>'.repeat(3_000), '<b>a</B>'.repeat(200)])
        expect((await shop.patch(`/products/${product.id}`, { body_html: tags })).body_html).toContain('<')
      expect(await shop.refusal('PATCH', `/products/${product.id}`, { body_html: '&'.repeat(50_000) })).toHaveProperty(
        'body_html',
      )
    })

    it('shows ready files as its gallery, in the given order', async () => {
      const first = await shop.file()
      const second = await shop.file({
        kind: 'external_video',
        source: 'external_video',
        content_type: null,
        checksum: null,
        url: 'https://youtu.be/x',
      })
      const pending = await shop.file({ upload_status: 'pending' })
      const { id, media_gallery } = await shop.product({ media: [second, first, second] })
      expect(media_gallery).toEqual([
        { id: second, type: 'external_video', url: 'https://youtu.be/x' },
        { id: first, type: 'image', url: (await shop.get(`/files/${first}`)).file_url },
      ])
      expect(await shop.refusal('PATCH', `/products/${id}`, { media: [first, pending] })).toEqual({
        'media.1': ['is not ready: its upload_status is pending'],
      })
      expect(await shop.refusal('PATCH', `/products/${id}`, { media: [UNKNOWN] })).toEqual([
        404,
        'resource_missing',
        'media.0',
      ])
      expect((await shop.patch(`/products/${id}`, { media: [first, second] })).media_gallery[0].id).toBe(first)
      expect((await shop.patch(`/products/${id}`, { media: [] })).media_gallery).toEqual([])
    })

    it('shows its prices by position, without archived and hidden ones', async () => {
      const { id } = await shop.product()
      const [a, b, c, d] = [await shop.price(id), await shop.price(id), await shop.price(id), await shop.price(id)]
      await shop.patch(`/price_variants/${d.id}`, { position: 1 })
      await shop.patch(`/price_variants/${a.id}`, { hidden: true })
      await shop.patch(`/price_variants/${b.id}`, { archived: true })
      const shown = (await shop.get(`/products/${id}`)).price_variants
      expect(shown.map((variant: Body) => variant.id)).toEqual([d.id, c.id])
      expect(shown[1]).toEqual(await shop.get(`/price_variants/${c.id}`))
    })

    it('expands its reviews and what its prices give access to', async () => {
      const experience = await shop.experience()
      const { id } = await shop.product()
      await shop.price(id, { experience_ids: [experience] })
      const customer = await shop.customer({ tags: ['Reader'] })
      await shop.review(id, { customer: customer.id })
      await shop.review(id, { published: false })
      const shown = await shop.get(`/products/${id}?expand=reviews.customer.tags,price_variants.experiences`)
      expect(shown.reviews.map((review: Body) => [review.position, review.customer?.tags[0].name])).toEqual([
        [1, undefined],
        [2, 'Reader'],
      ])
      expect(shown.price_variants[0].experiences[0]).toMatchObject({ id: experience, object: 'experience' })
    })

    it('is filtered by status and by words of its name or slug', async () => {
      await shop.product({ name: '100% Wool_Hat', slug: 'wool', status: 'active' })
      await shop.product({ name: '100 Wool-Hats', slug: 'other-wool-thing' })
      const found = (query: string) => shop.listed(`/products?query=${encodeURIComponent(query)}`, 'slug')
      expect(await found('WOOL')).toEqual(['other-wool-thing', 'wool'])
      expect(await found('100%')).toEqual(['wool'])
      expect(await found('wool_hat')).toEqual(['wool'])
      expect(await found('\\')).toEqual([])
      expect(await found('r-wool-t')).toEqual(['other-wool-thing'])
      expect(await shop.listed('/products?query=wool&status=active', 'slug')).toEqual(['wool'])
      await shop.patch('/products/wool', { name: 'Cap' })
      expect(await found('hat')).toEqual(['other-wool-thing'])
    })

    it('cannot be deleted once sold', async () => {
      const { id } = await shop.product()
      const variant = await shop.price(id)
      await shop.set('price_variants', variant.id, { sold_count: 1 })
      expect(await shop.refusal('DELETE', `/products/${id}`)).toEqual([400, 'resource_in_use'])
      expect((await shop.get(`/products/${id}`)).price_variants).toHaveLength(1)
    })

    it('takes its prices, reviews and places in discounts with it', async () => {
      const [{ id }, other] = [await shop.product(), await shop.product()]
      const [variant, review] = [await shop.price(id), await shop.review(id)]
      const only = await shop.discount({ applies_to_product_ids: [id], price_variants: [variant.id] })
      const shared = await shop.discount({ applies_to_product_ids: [id, other.id] })
      await shop.delete(`/products/${id}`)
      for (const path of [`/products/${id}`, `/price_variants/${variant.id}`, `/reviews/${review.id}`]) {
        expect(await shop.refusal('GET', path)).toEqual([404, 'resource_missing'])
      }
      expect(await shop.get(`/discounts/${only.id}`)).toMatchObject({ status: 'inactive', applies_to_product_ids: [] })
      expect(await shop.get(`/discounts/${shared.id}`)).toMatchObject({
        status: 'active',
        applies_to_product_ids: [other.id],
      })
    })

    it('can be deleted with very many prices', async () => {
      const { id } = await shop.product()
      const { id: _, object: __, x402_amount: ___, purchase_url: ____, ...variant } = await shop.price(id)
      const { benefits, experiences, waitlist, hidden, archived, ...plain } = variant
      const column = { benefits: '[]', experiences: '[]', waitlist: 0, hidden: 0, archived: 0, sold_count: 0 }
      await Promise.all(
        Array.from({ length: 1200 }, (_, index) =>
          shop.insert('price_variants', 'price', { ...plain, ...column, position: index + 2 }),
        ),
      )
      await shop.delete(`/products/${id}`)
      expect(await shop.refusal('GET', `/price_variants/${variant.id}`)).toEqual([404, 'resource_missing'])
    })
  })
})
