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

    it('are no more than a list takes, and each once, however many a form names', async () => {
      const to = `${BASE}/forms/new`
      const fields = fieldsOf((await person.get(to)).html, to)
      const numbers = Array.from({ length: 2_000 }, (_, number) => String(number))
      const shown = async (marks: string[], change: string) => {
        const { status, html } = await person.post(to, { ...fields, 'fields.#': marks.join(' '), change })
        return [status, html.split('class="entry"').length - 1]
      }
      expect(await shown(['0', '0', '0', '-1', '1e3', '__proto__'], 'up fields 0')).toEqual([422, 1])
      expect(await shown(Array(200_000).fill('7'), 'add fields')).toEqual([422, 2])
      const [status, entries] = await shown(numbers, 'up fields 1')
      expect(status).toBe(422)
      expect(entries).toBeLessThanOrEqual(101)
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
