import { describe, expect, it } from 'vitest'
import { onEachEngine } from '../support/shop.ts'

const keys = (count: number, from = 0) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`key-${from + index}`, 'value']))

describe('Metadata', () => {
  onEachEngine((shop) => {
    it('merges, and null removes a key', async () => {
      const { id, metadata } = await shop.product({ metadata: { a: '1', b: '2', never: null } })
      expect(metadata).toEqual({ a: '1', b: '2' })
      const change = async (values: object) => (await shop.patch(`/products/${id}`, { metadata: values })).metadata
      expect(await change({ b: null, c: '3', unknown: null })).toEqual({ a: '1', c: '3' })
      expect(await change({})).toEqual({ a: '1', c: '3' })
      expect(await change({ a: '', 'a b/ü': 'x' })).toEqual({ a: '', c: '3', 'a b/ü': 'x' })
      expect((await shop.get(`/products/${id}`)).metadata).toEqual({ a: '', c: '3', 'a b/ü': 'x' })
    })

    it('has at most 50 keys of 40 characters with texts of 500', async () => {
      const { id } = await shop.customer({ metadata: keys(50) })
      const path = `/customers/${id}`
      expect(await shop.refusal('PATCH', path, { metadata: keys(51) })).toHaveProperty('metadata')
      expect(await shop.refusal('PATCH', path, { metadata: { another: 'x' } })).toHaveProperty('metadata')
      const changed = await shop.patch(path, { metadata: { another: 'x', 'key-0': null } })
      expect(Object.keys(changed.metadata)).toHaveLength(50)
      const most = { ['k'.repeat(40)]: 'v'.repeat(500) }
      expect((await shop.discount({ metadata: most })).metadata).toEqual(most)
      for (const metadata of [{ ['k'.repeat(41)]: 'v' }, { k: 'v'.repeat(501) }, { '': 'v' }, { k: 5 }, { k: {} }]) {
        expect(Object.keys(await shop.refusal('PATCH', path, { metadata }))[0]).toMatch(/^metadata/)
      }
      expect(await shop.refusal('PATCH', path, { metadata: 'text' })).toEqual([400, 'parameter_invalid', 'metadata'])
    })

    it('takes any word as a key without harm', async () => {
      const raw = '{"metadata":{"__proto__":"x","constructor":"y","toString":"z"}}'
      const { id } = await shop.product()
      const answer = await shop.api('PATCH', `/products/${id}`, undefined, { raw })
      expect(answer.status).toBe(200)
      expect(answer.body.metadata).toMatchObject({ constructor: 'y', toString: 'z' })
      expect(await shop.get(`/products/${id}`)).toEqual(answer.body)
    })
  })
})
