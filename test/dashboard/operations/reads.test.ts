import { describe, expect, it } from 'vitest'
import { ROLES, type UserCaller } from '../../../src/contract/declarations/caller.ts'
import { ROLE_RIGHTS, type RoleRight } from '../../../src/contract/declarations/role-rights.ts'
import { readerFor } from '../../../src/pages/dashboard/kit/visits.ts'
import { type DashboardRead, dashboardRead } from '../../../src/records/dashboard-read.ts'
import { fileUses } from '../../../src/resources/dashboard/file-uses.ts'
import { letterSettings } from '../../../src/resources/dashboard/letter-settings/settings.ts'
import { accountMembers } from '../../../src/resources/dashboard/member/find.ts'
import { modelSettings } from '../../../src/resources/dashboard/model-settings/settings.ts'
import { paymentSettings } from '../../../src/resources/dashboard/payment-settings/settings.ts'
import { planComparison } from '../../../src/resources/dashboard/plan-comparison/plan-comparison.ts'
import { productSales } from '../../../src/resources/dashboard/product-sales.ts'
import { refundLimitsOfSupport } from '../../../src/resources/dashboard/refund-limit/limits.ts'
import { serviceConnections } from '../../../src/resources/dashboard/service-connections.ts'
import { disputeEvidence } from '../../../src/resources/sales/dispute/evidence.ts'
import { priceForSale, sell } from '../../support/sell.ts'
import { onEachEngine } from '../../support/shop.ts'

const RIGHTS: [RoleRight, object][] = [
  ['account.read', accountMembers],
  ['account.read', letterSettings],
  ['programs.read', planComparison],
  ['sales.read', disputeEvidence],
  ['sales.refund', refundLimitsOfSupport],
  ['settings.read', modelSettings],
  ['settings.read', paymentSettings],
  ['settings.read', serviceConnections],
]

describe('What only the dashboard reads', () => {
  onEachEngine((shop) => {
    const readAs = (caller: Partial<UserCaller> = {}) =>
      readerFor(shop.running.app, {
        kind: 'session',
        sessionId: 'a session',
        accountId: shop.accountId,
        userId: 'a person',
        role: 'owner',
        ...caller,
      } as UserCaller)

    it('is the sales of a product in its account, and nothing in another', async () => {
      const price = await priceForSale(shop, { amount: 1500 })
      await sell(shop, [{ price_variant: price.id, quantity: 2 }])
      expect(await readAs()(productSales, price.product)).toEqual({
        days: 30,
        sold: [{ currency: 'usd', units: 2, orders: 1, revenue: 3000 }],
      })
      const { accountId } = await shop.running.another('elsewhere')
      const elsewhere = readAs({ accountId })
      await expect(elsewhere(productSales, price.product)).rejects.toMatchObject({ code: 'resource_missing' })
    })

    it('is where a file is used in its account, and nothing in another', async () => {
      const file = await shop.file()
      await shop.post('/products', { name: 'Prints', media: [file] })
      expect(await readAs()(fileUses, file)).toEqual([expect.objectContaining({ resource: 'product', name: 'Prints' })])
      const { accountId } = await shop.running.another('not-here')
      await expect(readAs({ accountId })(fileUses, file)).rejects.toMatchObject({ code: 'resource_missing' })
    })

    it.each(RIGHTS)('needs the right %s', async (right, read) => {
      for (const role of ROLES) {
        const answer = readAs({ role })(read as DashboardRead<unknown[], unknown>, 'no id', [], [])
        const code = await answer.then(
          () => null,
          (error) => error.code,
        )
        expect([role, code === 'permission_denied']).toEqual([role, !ROLE_RIGHTS[role].has(right)])
      }
    })

    it('is refused to a role without its right, before anything is read', async () => {
      let reads = 0
      const settings = dashboardRead('settings.read', async () => ++reads)
      await expect(readAs({ role: 'support' })(settings)).rejects.toMatchObject({
        code: 'permission_denied',
        message: 'This requires one of the roles owner or admin; yours is support.',
      })
      expect(reads).toBe(0)
      expect(await readAs({ role: 'admin' })(settings)).toBe(1)
    })
  })
})
