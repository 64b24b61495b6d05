import { beforeAll, describe, expect, it } from 'vitest'
import { Catalogue } from '../../src/pages/dashboard/kit/catalogue.ts'
import { type Person, signIn } from '../support/person.ts'
import { faultsOf } from '../support/problems.ts'
import { onGateEngine } from '../support/shop.ts'
import { words } from '../support/words.ts'

const BASE = '/dashboard/my-shop'
const BY_HAND = [
  ...['search', 'reports', 'reports.csv', 'recover', 'runs', 'plans', 'background_programs', 'social', 'log_entries'],
  ...['developers/events', 'developers/requests', 'developers/webhooks', 'developers/tokens', 'settings/credits'],
]
const FILTERS = [
  'outcome',
  'transport',
  'state',
  'status',
  'type',
  'sort',
  'interval',
  'compare',
  'by',
  'platform',
  'kind',
]
const BROKEN = [
  'created_at[gte]=x&paid_at[lt]=y&due_at[gte]=',
  'created_at[gte]=%00&query=%00&status=%00',
  'created_at[gte]=%ED%A0%80&query=%ED%A0%80&sort=%ED%A0%80',
  'created_at[]=1&created_at[a][b]=2&status[]=x&[]=3&[=4&=5',
  'created_at=1&from=x&until=%2B275760-09-13&amount[gte]=1e999',
  'from=9999-12-31&until=9999-12-31',
  'from=0000-01-01&until=275760-09-13',
  'status=lost&status=paid&query=a&query=b&sort=a&sort=b',
  'starting_after=nothing&sort=-unknown&limit=99999999999999999999',
  'limit=x&page=-1',
  '__proto__=x&__proto__[gte]=x&constructor=y&toString=z&hasOwnProperty[gte]=q',
  'customer=../..&product=%2e%2e&form=.&id=%25',
  ...['constructor', '__proto__', 'toString'].map((word) =>
    [...FILTERS, 'done', 'view', 'range'].map((name) => `${name}=${word}`).join('&'),
  ),
]

describe('A broken query', () => {
  onGateEngine(
    (shop) => {
      let person: Person
      beforeAll(async () => {
        await shop.product({ name: 'Ink', status: 'active' })
        person = await signIn(shop.running)
      })

      it('is no fault of any list, its CSV, the other pages with a query, and the shop', async () => {
        const lists = new Catalogue(shop.running.app.pipeline).all().filter(({ list }) => list !== null)
        const own = [...lists.flatMap(({ path }) => [path, `${path}.csv`]), ...BY_HAND].map((path) => `${BASE}/${path}`)
        const faults: unknown[] = []
        for (const path of [...own, '/s/my-shop', '/s/my-shop/blog', '/docs/search'])
          for (const query of BROKEN) {
            const { status, html } = await person.get(`${path}?${query}`)
            if (status >= 500) faults.push([status, `${path}?${query}`])
            for (const fault of faultsOf(html)) faults.push([fault, `${path}?${query}`])
          }
        expect(own.length).toBeGreaterThan(60)
        expect(faults).toEqual([])
      }, 300_000)

      it('is named by the page, with the way back to the list', async () => {
        const { status, html } = await person.get(`${BASE}/customers?created_at[gte]=x`)
        expect([status, words(html)]).toEqual([
          400,
          expect.stringMatching(/Created must be a date and time such as 2026-12-31 14:30\. *Clear filters/),
        ])
      })
    },
    { RATE_LIMIT_PER_MINUTE: '1000000' },
  )
})
