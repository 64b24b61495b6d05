import { beforeAll, describe, expect, it } from 'vitest'
import { type Person, signIn } from '../support/person.ts'
import { onGateEngine } from '../support/shop.ts'
import { words } from '../support/words.ts'

const BASE = '/dashboard/my-shop'

describe('What narrows a list', () => {
  onGateEngine((shop) => {
    let person: Person

    beforeAll(async () => {
      await shop.product({ name: 'Ink', status: 'active' })
      person = await signIn(shop.running)
    })

    /** The line that it folds into, and whether it is open on a phone. */
    async function foldOf(path: string): Promise<[line: string, isOpen: boolean]> {
      const { html } = await person.get(`${BASE}/${path}`)
      const [, attributes, line] = /<details class="filters-fold folds"([^>]*)><summary>(.*?)<\/summary>/.exec(html)!
      return [words(line!).trim(), attributes!.includes('open')]
    }

    it('says how many of its fields are set, in words that the list calls for', async () => {
      expect(await foldOf('products')).toEqual(['Filter and sort', false])
      expect(await foldOf('products?status=&query=&from=')).toEqual(['Filter and sort', false])
      expect(await foldOf('products?status=active&query=ink&sort=name&unknown=1')).toEqual([
        'Filter and sort 3 set',
        false,
      ])
      expect(await foldOf('runs')).toEqual(['Filter', false])
      expect(await foldOf('developers/events?resource_id=&from=2026-01-01')).toEqual(['Filter 1 set', false])
    })

    it('counts what only links narrow a list by', async () => {
      const customer = await shop.customer()
      expect(await foldOf(`orders?customer=${customer.id}`)).toEqual(['Filter and sort 1 set', true])
    })

    it('is open where what is set leaves nothing to show, or was refused', async () => {
      expect(await foldOf('products?query=paper')).toEqual(['Filter and sort 1 set', true])
      expect(await foldOf('products?status=lost')).toEqual(['Filter and sort 1 set', true])
      expect(await foldOf('developers/events?resource_id=none')).toEqual(['Filter 1 set', true])
      expect(await foldOf('developers/requests')).toEqual(['Filter', false])
    })

    it('offers to clear what is set, and nothing else', async () => {
      const clear = `<a class="button quiet" href="${BASE}/products">Clear</a>`
      const offers = async (query: string) => (await person.get(`${BASE}/products${query}`)).html.includes(clear)
      expect([await offers(''), await offers('?status='), await offers('?status=active')]).toEqual([false, false, true])
    })
  })
})
