import { beforeAll, describe, expect, it } from 'vitest'
import { fieldsOf, type Person, signIn } from '../support/person.ts'
import { faultsOf, formsOn, problemsIn, WRONG } from '../support/problems.ts'
import { formPagesOf, rowListsOn } from '../support/repeated-rows.ts'
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
        ['field-price_variant', 'Choose a price.'],
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

    it('asks to choose what was not chosen, and for no letters, codes or ids', { timeout: 120_000 }, async () => {
      const said: [path: string, field: string, message: string][] = []
      const unsaid: [path: string, field: string][] = []
      for (const path of pages) {
        let { html } = await person.get(path)
        for (const { list } of rowListsOn(path, html))
          html = (await person.submit(path, { change: `add ${list}` })).html
        for (const { to, html: form, controls } of formsOn(path, html)) {
          const selects = controls.filter(({ kind }) => kind === 'choice')
          const empty = Object.fromEntries(selects.map(({ name }) => [name, '']))
          const answer = await person.post(to, { ...fieldsOf(html, to), ...empty })
          const problems = new Map(problemsIn(answer.html))
          for (const { name } of selects) {
            const message = problems.get(`field-${name}`)
            if (message !== undefined) said.push([path, name, message])
            else if (mustBeChosen(form, name)) unsaid.push([path, name])
          }
        }
      }
      expect(said.filter(([, , message]) => !/^Choose (an?|the) [^:]+\.$/.test(message))).toEqual([])
      expect(said).toContainEqual([`${BASE}/settings/tax`, 'tax_rates.0.country', 'Choose a country.'])
      expect(said.length).toBeGreaterThan(10)
      expect(unsaid).toEqual([])
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

/** Whether a select asks for a choice. */
function mustBeChosen(form: string, name: string): boolean {
  const [select = ''] =
    new RegExp(`<select [^>]*name="${name.replaceAll('.', '\\.')}"[\\s\\S]*?</select>`).exec(form) ?? []
  return select.includes('<option value="">Choose…')
}
