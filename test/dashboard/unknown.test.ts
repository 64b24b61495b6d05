import { beforeAll, describe, expect, it } from 'vitest'
import { DERIVED } from '../../src/pages/dashboard/derived/pages.ts'
import { HAND_MADE } from '../../src/pages/dashboard/pages.ts'
import { fieldsOf, type Person, signIn } from '../support/person.ts'
import { onGateEngine } from '../support/shop.ts'

const BASE = '/dashboard/my-shop'
const WITH_ID = [...HAND_MADE, ...DERIVED].filter(({ path }) => path.includes(':'))
/** What stands for the nouns of derived pages. */
const NAMED: Record<string, string> = { things: 'products', action: 'archive', name: 'publish' }
const at = (path: string, id: string) => BASE + path.replaceAll(/:(\w+)(\{[^}]*\})?/g, (_, name) => NAMED[name] ?? id)

describe('Pages of something that is not there', () => {
  onGateEngine((shop) => {
    let owner: Person
    beforeAll(async () => {
      owner = await signIn(shop.running)
    })

    it.each(['nothing', 'user_00000000000000000000000000', '..%2Fmembers'])('say so, at %s', async (id) => {
      const { csrf } = fieldsOf((await owner.get(`${BASE}/tags/new`)).html, `${BASE}/tags/new`)
      const wrong: unknown[] = []
      for (const { path, get, post } of WITH_ID) {
        const address = at(path, id)
        const statuses = [
          get ? (await owner.get(address)).status : 404,
          post ? (await owner.post(address, { csrf: csrf! })).status : 404,
        ]
        if (statuses.some((status) => status === 405 || status >= 500)) wrong.push([address, ...statuses])
      }
      expect(wrong).toEqual([])
    })

    it('is 404 for somebody who is no member', async () => {
      const path = `${BASE}/settings/members/user_unknown/remove`
      const { csrf } = fieldsOf((await owner.get(`${BASE}/tags/new`)).html, `${BASE}/tags/new`)
      expect([(await owner.get(path)).status, (await owner.post(path, { csrf: csrf! })).status]).toEqual([404, 404])
    })
  })
})
