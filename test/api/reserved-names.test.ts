import { describe, expect, it } from 'vitest'
import { freeSubdomain } from '../../src/resources/company/account/life/open.ts'
import { onGateEngine } from '../support/shop.ts'

const NAMES = ['www', 'admin', 'api', 'mail', 'shopwright']
const RESERVED = { subdomain: ['is reserved for the service; choose another'] }

describe('Names of the service', () => {
  onGateEngine((service) => {
    it('are no subdomain of an account', async () => {
      for (const subdomain of NAMES)
        expect([subdomain, await service.refusal('PATCH', '/account', { subdomain })]).toEqual([subdomain, RESERVED])
      expect(await freeSubdomain(service.running.app.database, 'Admin')).toBe('admin-2')
    })

    it('stay those of an account that has one already', async () => {
      await service.set('accounts', service.accountId, { subdomain: 'www' })
      expect(await service.patch('/account', { subdomain: 'www', name: 'Mine' })).toMatchObject({ subdomain: 'www' })
      await service.set('accounts', service.accountId, { subdomain: 'my-shop' })
    })

    it('are no subdomain of a site, given or made from its name', async () => {
      const prompt = 'A shop window.'
      for (const subdomain of NAMES)
        expect([subdomain, await service.refusal('POST', '/sites', { prompt, subdomain })]).toEqual([
          subdomain,
          RESERVED,
        ])
      const site = await service.post('/sites', { prompt, name: 'Admin' })
      expect(site.subdomain).toBe('admin-1')
      expect(await service.refusal('PATCH', `/sites/${site.id}`, { subdomain: 'www' })).toEqual(RESERVED)
      await service.set('sites', site.id, { subdomain: 'www' })
      expect(await service.patch(`/sites/${site.id}`, { subdomain: 'www' })).toMatchObject({ subdomain: 'www' })
    })
  })
})
