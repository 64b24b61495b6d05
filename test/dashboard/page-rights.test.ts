import { describe, expect, it } from 'vitest'
import { ROLES, type Role } from '../../src/contract/declarations/caller.ts'
import { FEATURES } from '../../src/features.ts'
import { DERIVED } from '../../src/pages/dashboard/derived/pages.ts'
import { Catalogue, type Manageable } from '../../src/pages/dashboard/kit/catalogue.ts'
import { mayOpen } from '../../src/pages/dashboard/kit/page-rights.ts'
import type { DashboardPage } from '../../src/pages/dashboard/kit/visit.ts'
import { HAND_MADE } from '../../src/pages/dashboard/pages.ts'
import { onGateEngine } from '../support/shop.ts'

describe('The pages of the dashboard', () => {
  onGateEngine((shop) => {
    it('open to the roles in golden/page-rights.txt, for each page and method', async () => {
      const catalogue = new Catalogue(shop.running.app.pipeline)
      const features = (await Promise.all(FEATURES.map(({ dashboard }) => dashboard?.()))).filter((one) => one != null)
      const handMade = [...HAND_MADE, ...features.flatMap(({ pages = [] }) => pages)]
      const pages = Map.groupBy(handMade, ({ path }) => path.split('/')[1]!)
      const visitOf = (role: Role) =>
        ({ catalogue, pages, parts: { features }, membership: { role } }) as unknown as Parameters<typeof mayOpen>[0]
      const visits = ROLES.map((role) => [role, visitOf(role)] as const)
      const derived = catalogue.all().flatMap((things) => DERIVED.flatMap((page) => pagesFor(things, page)))
      const lines = [...handMade, ...derived].flatMap(({ path, get, post, files }) => {
        const methods = [...(get ? ['GET' as const] : []), ...(post || files ? ['POST' as const] : [])]
        const address = path.replace(/:\w+/g, 'x')
        return methods.map((method) => {
          const roles = visits.filter(([, visit]) => mayOpen(visit, address, method)).map(([role]) => role)
          return `${path} ${method} ${roles.length === ROLES.length ? 'everyone' : roles.join(' ')}`
        })
      })
      expect(lines.length).toBeGreaterThan(500)
      await expect(`${[...new Set(lines)].sort().join('\n')}\n`).toMatchFileSnapshot('../golden/page-rights.txt')
    })
  })
})

/** Returns the addresses of a derived page for a resource, one for each action; none if the resource has no such page. */
function pagesFor(things: Manageable, page: DashboardPage): DashboardPage[] {
  const { path, list, retrieve, create, update, remove, actions } = things
  const [, first, second, third] = page.path.split('/')
  const at = (rest: string) => ({ ...page, path: `/${path}${rest}` })
  if (first!.includes('csv')) return list ? [at('.csv')] : []
  if (third === ':action') return retrieve ? [...actions.keys()].map((action) => at(`/:id/${action}`)) : []
  const operation = third === 'edit' ? update : third === 'delete' ? remove : second === 'new' ? create : retrieve
  const has = second === ':id' || second === 'new' ? operation : list
  return has ? [at([second, third].map((part) => (part ? `/${part}` : '')).join(''))] : []
}
