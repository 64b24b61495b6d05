import { describe, expect, it } from 'vitest'
import { onEachEngine } from '../support/shop.ts'

describe('A tag', () => {
  onEachEngine((shop) => {
    it('has every field, with defaults where nothing was given', async () => {
      const tag = await shop.tag({ name: ' VIP ' })
      expect(tag).toMatchObject({ object: 'tag', name: 'VIP', color: null, customers_count: 0 })
      expect(await shop.get(`/tags/${tag.id}`)).toEqual(tag)
    })

    it('is created once: the name again, in any case, gives the one that is there', async () => {
      const first = await shop.api('POST', '/tags', { name: 'Größe', color: '#1f6feb' })
      const second = await shop.api('POST', '/tags', { name: 'GRÖSSE'.replace('SS', 'ß'), color: '#000000' })
      expect([first.status, second.status]).toEqual([201, 200])
      expect(second.body).toEqual(first.body)
      expect((await shop.api('POST', '/tags', { name: 'Gro\u0308ße' })).body.id).toBe(first.body.id)
    })

    it('is renamed to a name that no other has, and recoloured', async () => {
      const [{ id }, other] = [await shop.tag({ name: 'Old' }), await shop.tag()]
      const path = `/tags/${id}`
      expect(await shop.patch(path, { name: 'OLD', color: '#ABCDEF' })).toMatchObject({ name: 'OLD', color: '#ABCDEF' })
      expect(await shop.refusal('PATCH', path, { name: other.name.toUpperCase() })).toEqual({
        name: ['has already been taken'],
      })
      expect(await shop.patch(path, { name: 'Newer', color: null })).toMatchObject({ name: 'Newer', color: null })
      expect((await shop.api('POST', '/tags', { name: 'newer' })).body.id).toBe(id)
      for (const color of ['red', '#12345', '#1234567', '#12345g']) {
        expect(await shop.refusal('PATCH', path, { color })).toHaveProperty('color')
      }
      for (const name of ['', ' ', 'a'.repeat(51), null]) {
        expect(await shop.refusal('PATCH', path, { name })).toHaveProperty('name')
      }
    })

    it('counts its customers and is detached when it goes', async () => {
      const tag = await shop.tag()
      const { id } = await shop.customer({ tags: [tag.id, 'Stays'] })
      await shop.customer({ tags: [tag.name] })
      expect((await shop.get(`/tags/${tag.id}`)).customers_count).toBe(2)
      expect(await shop.delete(`/tags/${tag.id}`)).toEqual({ id: tag.id, object: 'tag', deleted: true })
      expect((await shop.get(`/customers/${id}`)).tags).toHaveLength(1)
      expect(await shop.refusal('GET', `/tags/${tag.id}`)).toEqual([404, 'resource_missing'])
    })

    it('is listed by name, whatever its case, and found by a part of it', async () => {
      for (const name of ['zz-b', 'ZZ-a', 'zz-C', 'ÄZZ']) await shop.tag({ name })
      expect(await shop.listed('/tags?query=zz', 'name')).toEqual(['ZZ-a', 'zz-b', 'zz-C', 'ÄZZ'])
      expect(await shop.listed('/tags?query=%C3%A4zz', 'name')).toEqual(['ÄZZ'])
    })
  })
})
