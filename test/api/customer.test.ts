import { describe, expect, it } from 'vitest'
import { type Body, onEachEngine } from '../support/shop.ts'

describe('A customer', () => {
  onEachEngine((shop) => {
    const names = ({ name, first_name, last_name }: Body) => [name, first_name, last_name]
    const tagNames = async (id: string) =>
      (await shop.get(`/customers/${id}?expand=tags`)).tags.map((tag: Body) => tag.name)

    it('has every field, with defaults where nothing was given', async () => {
      const customer = await shop.customer({ email: ' Ada@Example.COM ', phone_number: '+44 20 7946 0000' })
      expect(customer).toMatchObject({
        object: 'customer',
        email: 'ada@example.com',
        name: null,
        phone_number: '+44 20 7946 0000',
        customer_type: 'lead',
        orders_count: 0,
        total_spend: 0,
        confirmed_at: null,
        tags: [],
        metadata: {},
      })
      expect(await shop.get(`/customers/${customer.id}`)).toEqual(customer)
    })

    it('has an address of its own', async () => {
      const { id } = await shop.customer({ email: 'one@example.com' })
      const other = await shop.customer()
      expect(await shop.refusal('POST', '/customers', { email: 'ONE@example.com' })).toEqual({
        email: ['has already been taken'],
      })
      expect(await shop.refusal('PATCH', `/customers/${other.id}`, { email: 'one@example.com' })).toHaveProperty(
        'email',
      )
      expect((await shop.patch(`/customers/${id}`, { email: 'One@Example.com' })).email).toBe('one@example.com')
      expect(await shop.refusal('POST', '/customers', {})).toEqual([400, 'parameter_missing', 'email'])
      expect(await shop.refusal('POST', '/customers', { email: ' ' })).toEqual({ email: ["can't be blank"] })
      expect(await shop.refusal('PATCH', `/customers/${id}`, { email: null })).toEqual({ email: ["can't be blank"] })
      for (const email of ['x', 'a@b', '@example.com', 'a b@example.com', `${'a'.repeat(250)}@example.com`]) {
        expect(await shop.refusal('POST', '/customers', { email })).toHaveProperty('email')
      }
    })

    it('gets its name from its parts and its parts from its name', async () => {
      expect(names(await shop.customer({ name: 'Ada King Lovelace' }))).toEqual([
        'Ada King Lovelace',
        'Ada',
        'King Lovelace',
      ])
      expect(names(await shop.customer({ name: 'Ada' }))).toEqual(['Ada', 'Ada', null])
      const { id, ...customer } = await shop.customer({ first_name: 'Ada', last_name: 'Lovelace' })
      expect(names(customer)).toEqual(['Ada Lovelace', 'Ada', 'Lovelace'])
      const change = async (values: object) => names(await shop.patch(`/customers/${id}`, values))
      expect(await change({ last_name: 'King' })).toEqual(['Ada King', 'Ada', 'King'])
      expect(await change({ first_name: null })).toEqual(['King', null, 'King'])
      expect(await change({ name: 'Grace Hopper' })).toEqual(['Grace Hopper', 'Grace', 'Hopper'])
      expect(await change({ name: null })).toEqual([null, null, null])
      expect(await change({ phone_number: '1' })).toEqual([null, null, null])
    })

    it('has no name that contradicts its parts', async () => {
      const { id } = await shop.customer()
      const change = async (values: object) => names(await shop.patch(`/customers/${id}`, values))
      const all = { name: 'Ada  King Lovelace', first_name: 'Ada King', last_name: 'Lovelace' }
      expect(await change(all)).toEqual(['Ada  King Lovelace', 'Ada King', 'Lovelace'])
      expect(await change({ name: 'Mary Ann Evans', first_name: 'Mary Ann' })).toEqual([
        'Mary Ann Evans',
        'Mary Ann',
        'Evans',
      ])
      expect(await change({ name: 'Mary Ann Evans', last_name: 'Ann Evans' })).toEqual([
        'Mary Ann Evans',
        'Mary',
        'Ann Evans',
      ])
      expect(await change({ name: 'Cher', last_name: 'Cher' })).toEqual(['Cher', null, 'Cher'])
      expect(await change({ name: null, first_name: null, last_name: null })).toEqual([null, null, null])
      const path = `/customers/${id}`
      const refused = { name: 'Ada Lovelace', first_name: 'Grace', last_name: 'Hopper' }
      const sentence = 'does not match first_name and last_name, which make it "Grace Hopper"'
      expect(await shop.refusal('PATCH', path, refused)).toEqual({ name: [sentence] })
      const email = 'grace@example.com'
      expect(await shop.refusal('POST', '/customers', { email, ...refused })).toEqual({ name: [sentence] })
      for (const [values, problem] of [
        [{ name: 'Ada Lovelace', first_name: 'Grace' }, 'must begin with first_name, "Grace"'],
        [{ name: 'Ada Lovelace', first_name: 'Ad' }, 'must begin with first_name, "Ad"'],
        [{ name: 'Ada Lovelace', last_name: 'Hopper' }, 'must end with last_name, "Hopper"'],
      ] as const) {
        expect(await shop.refusal('PATCH', path, values)).toEqual({ name: [problem] })
      }
      const long = await shop.customer({ name: `${'a'.repeat(150)}` })
      const { name, first_name, last_name } = long
      expect(names(await shop.patch(`/customers/${long.id}`, { name, first_name, last_name }))).toEqual(names(long))
    })

    it('has an internationalised address in one form, whichever way it is written', async () => {
      const same = [
        ['用户@例子.广告', '用户@例子.广告', '用户@xn--fsqu00a.xn--4rr70v'],
        ['jörg@müller.de', 'JÖRG@MÜLLER.DE', 'jo\u0308rg@mu\u0308ller.de', 'jörg@xn--mller-kva.de'],
      ]
      for (const [email, ...others] of same) {
        const { id, email: stored } = await shop.customer({ email })
        expect(stored).toBe(email)
        for (const other of others) {
          expect(await shop.refusal('POST', '/customers', { email: other })).toEqual({
            email: ['has already been taken'],
          })
          expect(await shop.listed(`/customers?email=${encodeURIComponent(other)}`)).toEqual([id])
        }
      }
      const { id } = await shop.customer({ email: 'kate@example.com' })
      for (const [email, problem] of [
        ['\u212aate@example.com', 'must not contain “\u212a” (U+212A): write “K” (U+004B)'],
        ['\uff4bate@example.com', 'must not contain “\uff4b” (U+FF4B): write “k” (U+006B)'],
      ]) {
        expect(await shop.refusal('POST', '/customers', { email })).toEqual({ email: [problem] })
      }
      expect((await shop.customer({ email: 'kаte@example.com' })).id).not.toBe(id)
      for (const email of [
        'a@例子',
        'a@-例子.de',
        'a@例 子.de',
        'a\u200db@x.de',
        'a@1.2.3.4',
        `a@${'例'.repeat(60)}.de`,
      ]) {
        expect([email, await shop.refusal('POST', '/customers', { email })]).toEqual([
          email,
          { email: ['is not a valid e-mail address'] },
        ])
      }
    })

    it('keeps names within their lengths however they come about', async () => {
      const long = 'a'.repeat(100)
      expect(names(await shop.customer({ first_name: long, last_name: long }))[0]).toBe(`${long} ${long.slice(1)}`)
      const single = `${'a'.repeat(99)}😀${'b'.repeat(50)}`
      expect(names(await shop.customer({ name: single }))).toEqual([single, 'a'.repeat(99), null])
      const [email, name] = ['long@example.com', 'a'.repeat(201)]
      expect(await shop.refusal('POST', '/customers', { email, name })).toHaveProperty('name')
    })

    it('is tagged by names and ids, which creates unknown names', async () => {
      const known = await shop.tag({ name: 'Known' })
      const { id, tags } = await shop.customer({ tags: ['known', known.id, ' New ', 'NEW'] })
      expect(tags).toHaveLength(2)
      expect(await tagNames(id)).toEqual(['Known', 'New'])
      expect((await shop.get(`/tags/${known.id}`)).customers_count).toBe(1)
      expect((await shop.patch(`/customers/${id}`, { name: 'Ada' })).tags).toEqual(tags)
      expect((await shop.patch(`/customers/${id}`, { tags: [known.id] })).tags).toEqual([known.id])
      expect((await shop.patch(`/customers/${id}`, { tags: [] })).tags).toEqual([])
      expect(await shop.refusal('PATCH', `/customers/${id}`, { tags: ['a'.repeat(51)] })).toHaveProperty(['tags.0'])
      expect(await shop.refusal('PATCH', `/customers/${id}`, { tags: ['ok', ' '] })).toHaveProperty(['tags.1'])
    })

    it('gains, replaces and loses tags', async () => {
      const { id } = await shop.customer({ tags: ['a1'] })
      const tag = async (tags: string[], mode?: string) => {
        await shop.post(`/customers/${id}/tags`, { tags, mode })
        return (await tagNames(id)).sort()
      }
      expect(await tag(['b1'])).toEqual(['a1', 'b1'])
      expect(await tag(['B1', 'A1'])).toEqual(['a1', 'b1'])
      expect(await tag(['c1'], 'replace')).toEqual(['c1'])
      expect(await tag(['d1', 'c1'], 'add')).toEqual(['c1', 'd1'])
      expect(await tag(['D1', 'never-made'], 'remove')).toEqual(['c1'])
      expect(await shop.listed('/tags?query=never-made')).toEqual([])
      expect(await tag([], 'replace')).toEqual([])
      expect(await shop.refusal('POST', `/customers/${id}/tags`, {})).toEqual([400, 'parameter_missing', 'tags'])
      expect(await shop.refusal('POST', `/customers/${id}/tags`, { tags: [], mode: 'toggle' })).toHaveProperty('mode')
    })

    it('is found by type, words, address and tag', async () => {
      const paid = await shop.customer({ email: 'find.me@example.com', name: 'Paula Payer', tags: ['Finders'] })
      await shop.set('customers', paid.id, { customer_type: 'paid', orders_count: 1, total_spend: 900 })
      expect(await shop.listed('/customers?customer_type=paid')).toEqual([paid.id])
      for (const query of ['FIND.ME', 'paula', 'la pay']) {
        expect(await shop.listed(`/customers?query=${query}`)).toEqual([paid.id])
      }
      expect(await shop.listed('/customers?email=FIND.ME@example.com')).toEqual([paid.id])
      expect(await shop.listed('/customers?tag=finders')).toEqual([paid.id])
      expect(await shop.listed(`/customers?tag=${(await shop.get(`/customers/${paid.id}`)).tags[0]}`)).toEqual([
        paid.id,
      ])
      expect(await shop.listed('/customers?tag=nobody&customer_type=paid')).toEqual([])
    })

    it('can be deleted without orders, which leaves its reviews and tags', async () => {
      const { id, tags } = await shop.customer({ name: 'Ada', tags: ['Leaving'] })
      const review = await shop.review((await shop.product()).id, { customer: id })
      await shop.set('customers', id, { orders_count: 1 })
      expect(await shop.refusal('DELETE', `/customers/${id}`)).toEqual([400, 'resource_in_use'])
      await shop.set('customers', id, { orders_count: 0 })
      await shop.delete(`/customers/${id}`)
      expect(await shop.get(`/reviews/${review.id}`)).toMatchObject({ customer: null, customer_name: 'Ada' })
      expect((await shop.get(`/tags/${tags[0]}`)).customers_count).toBe(0)
      expect((await shop.customer({ email: 'again@example.com' })).email).toBe('again@example.com')
    })
  })
})
