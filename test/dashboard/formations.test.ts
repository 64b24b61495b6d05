import { setTimeout as delay } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { companyWays } from '../states/company-ways.ts'
import { type Person, signIn } from '../support/person.ts'
import { pay } from '../support/sell.ts'
import { onGateEngine } from '../support/shop.ts'
import { words } from '../support/words.ts'

const BASE = '/dashboard/my-shop'
const ADDRESS = { line1: '30 N Gould St', city: 'Sheridan', state: 'WY', postal_code: '82801', country: 'USA' }

/** What each page says, which of its steps is the present one, and its buttons. */
const PAGES: Record<string, { step: string; says: string; buttons: string[] }> = {
  awaiting_payment: { step: 'Pay', says: 'Pay for the formation first', buttons: ['Pay', 'New payment page'] },
  pending: { step: 'Submit', says: 'It is paid. Submit it', buttons: ['Submit'] },
  submitted: { step: 'Being filed', says: 'The filing agent is working on it.', buttons: [] },
  completed: { step: 'Formed', says: 'The company is formed.', buttons: [] },
  failed: { step: 'Could not be filed', says: 'Fix the problem and submit it again', buttons: ['Submit'] },
  'failed, unpaid': { step: 'Pay', says: 'It was not paid.', buttons: ['Pay', 'New payment page'] },
  'failed, refunded': { step: 'Could not be filed', says: 'your payment was refunded', buttons: [] },
}

describe('The pages of formations', () => {
  onGateEngine((shop) => {
    let person: Person
    beforeAll(async () => {
      person = await signIn(shop.running)
    })

    it('show for each state how far it is, what comes next and what can be done', async () => {
      expect(Object.keys(PAGES)).toEqual(Object.keys(companyWays.formation!))
      for (const [state, { step, says, buttons }] of Object.entries(PAGES)) {
        const id = await companyWays.formation![state]!(shop)
        const { html } = await person.get(`${BASE}/formations/${id}`)
        const [, present] = /aria-current="step">([^<]+)</.exec(html) ?? []
        const heading = /<div class="heading-actions">(.*?)<\/div>/s.exec(html)?.[1] ?? ''
        const shown = [...heading.matchAll(/<a class="button[^>]*>([^<]+)</g)].map(([, one]) => one)
        expect([state, present, shown]).toEqual([state, step, buttons])
        expect(words(html)).toContain(says)
      }
    })

    it('begin one from the form, hand it over, and give its documents', async () => {
      const form = `${BASE}/formations/new`
      expect((await person.get(form)).html).toContain('<option value="WY">Wyoming</option>')
      const [first, party] = ['members.0', 'responsible_party']
      const made = await person.submit(form, {
        ...{ entity_type: 'LLC', state: 'WY', naics_code: '541511', description: 'Software.' },
        ...{ 'name_options.0.name': 'Tea Engines', [`${first}.ownership_percent`]: '100' },
        ...personAt(first),
        ...personAt(party),
        ...address('mailing_address'),
        'mailing_address.phone': '+1 307 555 0100',
      })
      const [, id] = /(fmtn_\w+)/.exec(made.location ?? made.html)!
      const own = `${BASE}/formations/${id}`
      const begun = words((await person.get(made.location!)).html)
      expect(begun).toContain('Formation “Tea Engines LLC” created.')
      expect(begun).toContain('State Wyoming')
      const early = await person.submit(`${own}/submit`, {})
      expect([early.status, words(early.html)]).toEqual([400, expect.stringContaining('awaiting payment')])
      await pay(shop, (await shop.get(`/formations/${id}`)).checkout)
      const handed = await person.submit(`${own}/submit`, {})
      expect(words((await person.get(handed.location!)).html)).toContain('Formation “Tea Engines LLC” submitted.')
      while ((await shop.get(`/formations/${id}`)).status !== 'completed') await delay(20)
      const { html } = await person.get(own)
      const { ein } = await shop.get(`/formations/${id}`)
      expect(words(html)).toContain(`EIN ${ein}`)
      const links = [...html.matchAll(/href="([^"]+\/download)"/g)].map(([, one]) => one!)
      expect(links).toHaveLength(3)
      const { location } = await person.get(links[0]!)
      expect(location).toMatch(/^\/documents\/fdoc_\w+\?expires=\d+&signature=/)
      expect((await person.get(location!)).status).toBe(200)
    })

    it('list them with their states in words', async () => {
      const list = words((await person.get(`${BASE}/formations?status=completed`)).html)
      expect(list).toContain('Software. Wyoming Completed Paid')
      expect((await person.get(`${BASE}/formations.csv`)).html).toContain('WY')
    })
  })
})

function address(path: string): Record<string, string> {
  return Object.fromEntries(Object.entries(ADDRESS).map(([name, value]) => [`${path}.${name}`, value]))
}

function personAt(path: string): Record<string, string> {
  const name = { [`${path}.legal_first_name`]: 'Ada', [`${path}.legal_last_name`]: 'Lovelace' }
  return { ...name, ...address(`${path}.address`) }
}
