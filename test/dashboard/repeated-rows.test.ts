import { beforeAll, describe, expect, it } from 'vitest'
import { fieldsOf, type Person, signIn } from '../support/person.ts'
import { allRowLists, type Filler, formPagesOf, knownValues, pricesOf, useRows } from '../support/repeated-rows.ts'
import { onGateEngine } from '../support/shop.ts'
import { stock } from '../support/stock.ts'

const BASE = '/dashboard/my-shop'

describe('The rows of forms', () => {
  onGateEngine((shop) => {
    let person: Person
    beforeAll(async () => {
      person = await signIn(shop.running)
    })

    it('are added, moved, removed and saved in every form, without scripts', async () => {
      const pages = formPagesOf(BASE, shop.running.app.pipeline, await stock(shop))
      const lists = await allRowLists(pages, async (path) => (await person.get(path)).html)
      expect(lists.map(({ list }) => list)).toEqual(expect.arrayContaining(['tax_rates', 'fields', 'price']))
      const prices = await pricesOf(shop)
      const faults: object[] = []
      for (const list of lists) {
        const fault = await useRows(fillerOf(person), list, knownValues(list, prices))
        if (fault !== null) faults.push({ ...list, fault })
      }
      expect(faults).toEqual([])
    })
  })
})

/** A browser that runs no scripts. */
function fillerOf(person: Person): Filler {
  let [to, fields]: [string, Record<string, string>] = ['', {}]
  const read = (html: string) => {
    fields = fieldsOf(html, to)
    return html
  }
  return {
    async open(path) {
      to = path.replace(/\?.*/, '')
      return read((await person.get(path)).html)
    },
    press: async (change) => read((await person.post(to, { ...fields, change })).html),
    async fill(values) {
      Object.assign(fields, values)
    },
    async save() {
      const { html, location } = await person.post(to, fields)
      return { saved: location, html }
    },
  }
}
