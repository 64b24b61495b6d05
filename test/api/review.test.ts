import { describe, expect, it } from 'vitest'
import { type Body, onEachEngine } from '../support/shop.ts'

describe('A review', () => {
  onEachEngine((shop) => {
    const places = async (product: string) =>
      (await shop.get(`/reviews?product=${product}`)).data
        .map(({ content, position }: Body) => `${content}${position}`)
        .join(' ')
    const reviewed = async (...contents: string[]) => {
      const { id } = await shop.product()
      const reviews = []
      for (const content of contents) reviews.push((await shop.review(id, { content })).id)
      return [id, ...reviews]
    }

    it('has every field, with defaults where nothing was given', async () => {
      const { id } = await shop.product()
      const review = await shop.review(id, { rating: 4 })
      expect(review).toMatchObject({
        object: 'review',
        product: id,
        rating: 4,
        customer: null,
        customer_name: null,
        content: null,
        published: true,
        position: 1,
      })
      expect(await shop.get(`/reviews/${review.id}`)).toEqual(review)
    })

    it('needs a product and a rating from 1 to 5', async () => {
      const { id: product } = await shop.product()
      const refusal = (values: object) => shop.refusal('POST', '/reviews', values)
      expect(await refusal({ rating: 5 })).toEqual([400, 'parameter_missing', 'product'])
      expect(await refusal({ product })).toEqual([400, 'parameter_missing', 'rating'])
      expect(await refusal({ rating: 6 })).toEqual({ rating: ['must be at most 5'], product: ["can't be blank"] })
      for (const rating of [0, 6, 4.5]) expect(await refusal({ product, rating })).toHaveProperty('rating')
      expect(await refusal({ product, rating: 5, content: 'a'.repeat(5001) })).toHaveProperty('content')
      expect(await refusal({ product: 'no-such', rating: 5 })).toEqual([404, 'resource_missing', 'product'])
    })

    it('takes its name from the customer unless one is given', async () => {
      const { id: product } = await shop.product()
      const { id: customer } = await shop.customer({ name: 'Ada Lovelace' })
      expect(await shop.review(product, { customer })).toMatchObject({ customer, customer_name: 'Ada Lovelace' })
      const review = await shop.review(product, { customer, customer_name: 'A. L.' })
      expect(review.customer_name).toBe('A. L.')
      const shown = await shop.get(`/reviews/${review.id}?expand=product,customer`)
      expect(shown).toMatchObject({ product: { id: product }, customer: { id: customer } })
    })

    it('stays with its product and customer', async () => {
      const [product, review] = await reviewed('a')
      const { id: other } = await shop.product()
      expect(await shop.patch(`/reviews/${review}`, { product: other, rating: 3, position: 9 })).toMatchObject({
        product,
        rating: 3,
        position: 1,
      })
    })

    it('counts for its product while published', async () => {
      const { id } = await shop.product()
      const figures = async () => {
        const { reviews_count, average_rating } = await shop.get(`/products/${id}`)
        return [reviews_count, average_rating]
      }
      const first = await shop.review(id, { rating: 5 })
      const second = await shop.review(id, { rating: 4 })
      await shop.review(id, { rating: 1, published: false })
      expect(await figures()).toEqual([2, 4.5])
      await shop.review(id, { rating: 4 })
      expect(await figures()).toEqual([3, 4.3])
      await shop.patch(`/reviews/${second.id}`, { rating: 1 })
      expect(await figures()).toEqual([3, 3.3])
      await shop.patch(`/reviews/${second.id}`, { published: false })
      expect(await figures()).toEqual([2, 4.5])
      await shop.delete(`/reviews/${first.id}`)
      expect(await figures()).toEqual([1, 4])
      expect(await shop.listed(`/reviews?product=${id}&published=false`, 'rating')).toEqual([1, 1])
      expect(await shop.listed(`/reviews?product=${id}&rating=4`, 'rating')).toEqual([4])
    })

    it('comes first when new, and moves to any place without gaps', async () => {
      const [product, a, b, c, d] = await reviewed('a', 'b', 'c', 'd')
      const move = async (review: string | undefined, position: number) => {
        await shop.post(`/reviews/${review}/position`, { position })
        return places(product!)
      }
      expect(await places(product!)).toBe('d1 c2 b3 a4')
      expect(await move(d, 3)).toBe('c1 b2 d3 a4')
      expect(await move(a, 1)).toBe('a1 c2 b3 d4')
      expect(await move(c, 2)).toBe('a1 c2 b3 d4')
      expect(await move(a, 1_000_000_000)).toBe('c1 b2 d3 a4')
      await shop.delete(`/reviews/${b}`)
      expect(await places(product!)).toBe('c1 d2 a3')
      for (const last of ['4', '9007199254740993', '1e30', '1e400', '9'.repeat(500)]) {
        await move(a, 1)
        const raw = `{"position": ${last}}`
        const { status, body } = await shop.api('POST', `/reviews/${a}/position`, undefined, { raw })
        expect([last, status, body.position]).toEqual([last, 200, 3])
      }
    })

    it('shows with its product among the first hundred', async () => {
      const { id: product } = await shop.product({ name: 'Much reviewed' })
      const [other] = await reviewed('a')
      const blank = { customer_name: null, customer: null, content: null, rating: 5, published: 1 }
      for (let position = 1; position <= 102; position++)
        await shop.insert('reviews', 'rev', { ...blank, product, position })
      expect((await shop.get(`/products/${product}?expand=reviews`)).reviews).toHaveLength(100)
      const listed = (await shop.get('/products?expand=reviews')).data
      expect(listed.find((one: Body) => one.id === other).reviews).toHaveLength(1)
    })

    it('refuses what is no place', async () => {
      const [, review] = await reviewed('a')
      const path = `/reviews/${review}/position`
      expect(await shop.refusal('POST', path, {})).toEqual([400, 'parameter_missing', 'position'])
      expect(await shop.refusal('POST', path, { position: null })).toEqual([400, 'parameter_missing', 'position'])
      for (const position of [0, -1, 1.5, '2', [1], true, {}, -1e30]) {
        expect(await shop.refusal('POST', path, { position })).toHaveProperty('position')
      }
    })

    it('is listed newest first over all products', async () => {
      const [, a] = await reviewed('a')
      const [, b, c] = await reviewed('b', 'c')
      expect((await shop.listed('/reviews')).slice(0, 3)).toEqual([c, b, a])
    })
  })
})
