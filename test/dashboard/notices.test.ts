import { beforeAll, describe, expect, it } from 'vitest'
import { fieldsOf, type Person, signIn } from '../support/person.ts'
import { onGateEngine } from '../support/shop.ts'

const BASE = '/dashboard/my-shop'
const FORM = `${BASE}/products/new`

describe('What a page says of the form before it', () => {
  onGateEngine((shop) => {
    let person: Person
    beforeAll(async () => {
      person = await signIn(shop.running)
    })
    /** Sends what no form of ours sends, so that it is refused, from a page. */
    async function refusedFrom(Referer: string) {
      const fields = fieldsOf((await person.get(FORM)).html, FORM)
      return person.post(FORM, fields, { Referer, 'Content-Type': 'text/plain' })
    }

    it('is nothing where the word of its address is none of ours', async () => {
      for (const word of ['constructor', '__proto__', 'toString', 'else'])
        expect([word, (await person.get(`${BASE}?done=${word}`)).html.includes('class="notice')]).toEqual([word, false])
    })

    it('is that it was refused, whatever the address that it was sent from says', async () => {
      for (const query of [
        '',
        '?done=saved',
        '?done=saved&done=refunded',
        '?%64one=refunded',
        '?query=a&don%65=done#x',
      ]) {
        const { status, location } = await refusedFrom(`${shop.running.url}${BASE}/products${query}`)
        expect([query, status]).toEqual([query, 303])
        const { html } = await person.get(location!)
        expect([query, /class="notice (\w+)"[^>]*>([^<]*)/.exec(html)?.slice(1)]).toEqual([
          ...[query, ['bad', expect.stringContaining('Send the form as')]],
        ])
      }
    })

    it('leads to no page but those of the account', async () => {
      const { url } = shop.running
      for (const from of [
        `https://evil.example${BASE}/products`,
        `${url}@evil.example${BASE}/products`,
        `blob:${url}${BASE}/products`,
        `${url}${BASE}-other/products`,
        `${url}${BASE}/../../other`,
        `${url}${BASE}/%2e%2e/other`,
        `${url}${BASE}/products;Domain=evil.example`,
        'javascript:alert(1)',
      ]) {
        const { status, location } = await refusedFrom(from)
        expect([from, status, location]).toEqual([from, 415, null])
      }
    })
  })
})
