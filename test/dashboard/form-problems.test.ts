import { beforeAll, describe, expect, it } from 'vitest'
import { type Person, signIn } from '../support/person.ts'
import { controlsOf, formPagesOf } from '../support/repeated-rows.ts'
import { onGateEngine } from '../support/shop.ts'
import { stock } from '../support/stock.ts'
import { words } from '../support/words.ts'

const BASE = '/dashboard/my-shop'
const WRONG = ['not-a-value', '-1', '99999999999999999999', '1.5', '', '\u0000', `${'x'.repeat(9_000)}`]
/** Words of programs. */
const OF_THE_API = /ISO \d|\bparam|\bnull\b|\bstring\b|\binteger\b|\bobject\b|\barray\b|\b[a-z]+_[a-z]+\b|\/\w+\/\d/

describe('What a form refuses', () => {
  onGateEngine((shop) => {
    let person: Person
    let pages: string[]
    beforeAll(async () => {
      person = await signIn(shop.running)
      pages = formPagesOf(BASE, shop.running.app.pipeline, await stock(shop))
    })

    it('is said all at once, at its field', async () => {
      const path = `${BASE}/invoices/new`
      const { html, status } = await person.submit(path, { due_at: 'soon', quantity: 'two', email_address: 'nobody' })
      expect(status).toBe(422)
      const said = problemsIn(html)
      expect(said).toEqual([
        ['field-price_variant', 'Price must be chosen.'],
        ['field-quantity', expect.stringMatching(/^Quantity must be a whole number from 1 to /)],
        ['field-email_address', 'E-mail address is not a valid e-mail address.'],
        ['field-due_at', 'Due must be a date and time such as 2026-12-31 14:30.'],
      ])
      for (const [field] of said) expect(html).toContain(`id="${field}-problem"`)
      for (const typed of ['value="soon"', 'value="two"', 'value="nobody"']) expect(html).toContain(typed)
      const empty = problemsIn((await person.submit(path, { due_at: '', price_variant: '' })).html)
      expect(empty.map(([field]) => field).toSorted()).toEqual([
        ...['field-due_at', 'field-email_address', 'field-price_variant'],
      ])
    })

    it('is said without words of the API, whatever is typed into any field', { timeout: 300_000 }, async () => {
      const faults: object[] = []
      let refused = 0
      for (const path of pages) {
        const { html } = await person.get(path)
        if (!html.includes('<form class="card form"')) continue
        for (const wrong of WRONG) {
          const all = controlsOf(html).map(({ name }) => [name, wrong])
          const answer = await person.submit(path.replace(/\?.*/, ''), Object.fromEntries(all))
          const said = problemsIn(answer.html).map(([, message]) => message.replaceAll(/“[^”]*”|\([^)]*\)/g, ''))
          refused += said.length
          for (const message of said)
            if (OF_THE_API.test(message)) faults.push({ path, wrong: wrong.slice(0, 12), message })
        }
      }
      expect(faults).toEqual([])
      expect(refused).toBeGreaterThan(100)
    })
  })
})

/** The summary of a page: the fields it leads to, and what it says of each. */
function problemsIn(html: string): [field: string | null, message: string][] {
  const [, list = ''] = /id="problems">([\s\S]*?)<\/ul>/.exec(html) ?? []
  return [...list.matchAll(/<li>(?:<a href="#([^"]+)">)?([\s\S]*?)<\/li>/g)].map(([, field, message]) => [
    field ?? null,
    words(message!).trim(),
  ])
}
