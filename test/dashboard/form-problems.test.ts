import { beforeAll, describe, expect, it } from 'vitest'
import { fieldsOf, type Person, signIn } from '../support/person.ts'
import { faultsOf, formsOn, problemsIn, WRONG } from '../support/problems.ts'
import { formPagesOf } from '../support/repeated-rows.ts'
import { onGateEngine } from '../support/shop.ts'
import { stock } from '../support/stock.ts'

const BASE = '/dashboard/my-shop'
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
        ['field-email_address', 'E-mail address must be an e-mail address such as name@example.com.'],
        ['field-due_at', 'Due must be a date and time such as 2026-12-31 14:30.'],
      ])
      for (const [field] of said) expect(html).toContain(`id="${field}-problem"`)
      for (const typed of ['value="soon"', 'value="two"', 'value="nobody"']) expect(html).toContain(typed)
      const empty = problemsIn((await person.submit(path, { due_at: '', price_variant: '' })).html)
      expect(empty.map(([field]) => field).toSorted()).toEqual([
        ...['field-due_at', 'field-email_address', 'field-price_variant'],
      ])
    })

    it('is said for everything that one step does', async () => {
      const wrong = { email: 'nobody', role: 'support', amount: 'much' }
      const { html } = await person.submit(`${BASE}/settings/members`, wrong)
      expect(problemsIn(html)).toEqual([
        ['field-email', 'E-mail must be an e-mail address such as name@example.com.'],
        ['field-amount', 'Amount must be an amount such as 12.50 or 1,250.00.'],
      ])
    })

    it('is said without words of the API, whatever is typed into any field', { timeout: 300_000 }, async () => {
      const faults: object[] = []
      let refused = 0
      for (const path of pages) {
        const { html } = await person.get(path)
        for (const { to, controls } of formsOn(path, html))
          for (const wrong of WRONG) {
            const all = Object.fromEntries(controls.map(({ name }) => [name, wrong]))
            const answer = await person.post(to, { ...fieldsOf(html, to), ...all })
            refused += problemsIn(answer.html).length
            for (const fault of faultsOf(answer.html)) faults.push({ path, to, wrong: wrong.slice(0, 12), fault })
          }
      }
      expect(faults).toEqual([])
      expect(refused).toBeGreaterThan(100)
    })
  })
})
