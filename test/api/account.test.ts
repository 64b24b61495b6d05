import { describe, expect, it } from 'vitest'
import { onEachEngine } from '../support/shop.ts'

describe('The account', () => {
  onEachEngine((shop) => {
    it('shows what a new one has', async () => {
      expect(await shop.get('/account')).toMatchObject({
        id: shop.running.accountId,
        object: 'account',
        name: 'My Shop',
        subdomain: 'my-shop',
        support_email: null,
        default_currency: 'usd',
        timezone: 'UTC',
        description: null,
        credit_balance: 1000,
      })
    })

    it('shows the person the token acts for', async () => {
      const me = await shop.get('/me')
      expect(me).toEqual({
        id: expect.stringMatching(/^user_/),
        object: 'user',
        name: 'Owner',
        email: 'owner@example.com',
        roles: ['owner'],
        created_at: expect.stringMatching(/Z$/),
      })
    })

    it('changes what is named and nothing else', async () => {
      const { updated_at: _, ...before } = await shop.get('/account')
      const changes = {
        name: 'Ada’s Books',
        subdomain: 'adas-books',
        support_email: 'Help@Example.com',
        default_currency: 'JPY',
        timezone: 'Europe/Berlin',
        description: '',
      }
      const after = await shop.patch('/account', { ...changes, credit_balance: 5, id: 'acct_x' })
      expect(after).toMatchObject({
        ...before,
        ...changes,
        storefront_url: `${shop.running.url}/s/${changes.subdomain}`,
        support_email: 'help@example.com',
        default_currency: 'jpy',
      })
      expect(await shop.get('/account')).toEqual(after)
      expect(await shop.patch('/account', { support_email: null, description: null })).toMatchObject({
        name: 'Ada’s Books',
        support_email: null,
        description: null,
      })
    })

    it('has a subdomain that no other has', async () => {
      await shop.running.another('taken-name')
      expect(await shop.refusal('PATCH', '/account', { subdomain: 'taken-name' })).toEqual({
        subdomain: ['has already been taken'],
      })
      const { subdomain } = await shop.get('/account')
      expect((await shop.patch('/account', { subdomain })).subdomain).toBe(subdomain)
    })

    it('refuses values outside its rules, all together', async () => {
      const wrong = {
        name: ' ',
        subdomain: 'a--b',
        support_email: 'x',
        default_currency: 'abc',
        timezone: 'Mars/Olympus',
        description: 'a'.repeat(501),
      }
      expect(Object.keys(await shop.refusal('PATCH', '/account', wrong))).toEqual(Object.keys(wrong))
      for (const subdomain of ['ab', 'a'.repeat(64), '-abc', 'abc-', 'Abc', 'a_b', null]) {
        expect(await shop.refusal('PATCH', '/account', { subdomain })).toHaveProperty('subdomain')
      }
      for (const timezone of ['', 'Europe/Nowhere', '+99:00', 'UTC\u0000']) {
        expect(await shop.refusal('PATCH', '/account', { timezone })).toHaveProperty('timezone')
      }
    })
  })
})
