import { describe, expect, it } from 'vitest'
import type { Answer } from '../support/app.ts'
import { type Body, onEachEngine } from '../support/shop.ts'

/** Fewer than the runs a transaction gets, of which each lets one racer through. */
const RACERS = 8
const DELETED = Math.ceil(RACERS / 3)

describe('Requests at the same time', () => {
  onEachEngine((shop) => {
    const race = (start: (racer: number) => Promise<Answer>) =>
      Promise.all(Array.from({ length: RACERS }, (_, racer) => start(racer)))
    const outcomes = (answers: Answer[]) => answers.map((answer) => answer.status).sort()
    const oneWins = [201, ...Array(RACERS - 1).fill(422)]

    it('get one slug, code or address between them', async () => {
      const discount = { discount_type: 'percent_off', percent_off: 5 }
      for (const [path, body, field] of [
        ['/products', { name: 'Raced', slug: 'raced-slug' }, 'slug'],
        ['/discounts', { code: 'RACED', ...discount }, 'code'],
        ['/customers', { email: 'raced@example.com' }, 'email'],
      ] as const) {
        const answers = await race(() => shop.api('POST', path, body))
        expect([path, ...outcomes(answers)]).toEqual([path, ...oneWins])
        for (const { status, body } of answers) {
          if (status === 422) expect(body.error.errors[field]).toEqual(['has already been taken'])
        }
      }
    })

    it('get one subdomain between them, from account to account', async () => {
      const others = await Promise.all(
        Array.from({ length: RACERS }, (_, racer) => shop.running.another(`racer-${racer}`)),
      )
      const answers = await race((racer) =>
        shop.api('PATCH', '/account', { subdomain: 'raced-subdomain' }, { token: others[racer]!.token }),
      )
      expect(outcomes(answers)).toEqual([200, ...Array(RACERS - 1).fill(422)])
    })

    it('rename to one name between them', async () => {
      const tags = await Promise.all(Array.from({ length: RACERS }, () => shop.tag()))
      const answers = await race((racer) => shop.api('PATCH', `/tags/${tags[racer].id}`, { name: 'raced name' }))
      expect(outcomes(answers)).toEqual([200, ...Array(RACERS - 1).fill(422)])
    })

    it('make one tag of one name, and all get it', async () => {
      const answers = await race((racer) => shop.api('POST', '/tags', { name: racer % 2 ? 'raced' : 'RACED' }))
      expect(outcomes(answers)).toEqual([...Array(RACERS - 1).fill(200), 201])
      expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1)
      const customers = await race((racer) =>
        shop.api('POST', '/customers', { email: `r${racer}@example.com`, tags: ['all'] }),
      )
      expect(new Set(customers.map((answer) => answer.body.tags[0])).size).toBe(1)
    })

    it('number generated slugs without a gap', async () => {
      const answers = await race(() => shop.api('POST', '/products', { name: 'Numbered' }))
      const expected = ['numbered', ...Array.from({ length: RACERS - 1 }, (_, index) => `numbered-${index + 1}`)]
      expect(answers.map((answer) => answer.body.slug).sort()).toEqual(expected.sort())
    })

    it('keep positions from 1 to the count', async () => {
      const { id } = await shop.product()
      const made = await race(() => shop.api('POST', '/reviews', { product: id, rating: 5 }))
      expect(outcomes(made)).toEqual(Array(RACERS).fill(201))
      const places = async () =>
        (await shop.get(`/reviews?product=${id}&limit=100`)).data.map((one: Body) => one.position)
      const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)
      expect(await places()).toEqual(upTo(RACERS))
      const moved = await race((racer) => {
        const path = `/reviews/${made[racer]!.body.id}`
        return racer % 3 === 0
          ? shop.api('DELETE', path)
          : shop.api('POST', `${path}/position`, { position: 1 + ((racer * 7) % RACERS) })
      })
      expect(outcomes(moved)).toEqual(Array(RACERS).fill(200))
      expect(await places()).toEqual(upTo(RACERS - DELETED))
      expect((await shop.get(`/products/${id}`)).reviews_count).toBe(RACERS - DELETED)
    })

    it('keep both of two changes to different fields', async () => {
      const { id } = await shop.product()
      await race((racer) => shop.api('PATCH', `/products/${id}`, { metadata: { [`key-${racer}`]: 'x' } }))
      expect(Object.keys((await shop.get(`/products/${id}`)).metadata)).toHaveLength(RACERS)
    })

    it('delete a thing once', async () => {
      const { id } = await shop.product()
      const answers = await race(() => shop.api('DELETE', `/products/${id}`))
      expect(outcomes(answers)).toEqual([200, ...Array(RACERS - 1).fill(404)])
    })
  })
})
