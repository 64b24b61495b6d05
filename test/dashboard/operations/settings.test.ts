import { beforeAll, describe, expect, it } from 'vitest'
import { mailSettings } from '../../../src/resources/dashboard/mail-settings.ts'
import { paymentSettings } from '../../../src/resources/dashboard/payment-settings/settings.ts'
import { type DashboardUser, memberOf, ownerOf } from '../../support/dashboard.ts'
import { type Body, onGateEngine } from '../../support/shop.ts'

describe('The settings of an account', () => {
  onGateEngine((shop) => {
    let owner: DashboardUser
    let member: DashboardUser

    beforeAll(async () => {
      owner = await ownerOf(shop)
      member = await memberOf(shop, 'member')
    })

    it('say how payments are taken and what is missing', async () => {
      const settings = await owner.read(paymentSettings)
      expect(settings).toMatchObject({ taken_by: 'test', takes_real_money: false, connections: [] })
      expect(settings.missing).toEqual(['Connect a payment provider under Settings, Payments.'])
      expect(settings.connectable[0]?.key_url).toMatch(/^https:/)
      await expect(member.read(paymentSettings)).rejects.toMatchObject({ code: 'permission_denied' })
    })

    it('say how e-mails leave and what has become of them', async () => {
      const { email } = await shop.customer()
      await shop.post('/emails', { to: email, subject: 'Hello', text: 'Hello' })
      await expect.poll(() => owner.read(mailSettings)).toMatchObject({ carrier: 'outbox', sent: 1, failed: 0 })
      await expect(member.read(mailSettings)).rejects.toMatchObject({ code: 'permission_denied' })
    })

    it('list what credits were spent on', async () => {
      const [entry] = (await owner.get('/credit_entries')).data
      expect(entry).toMatchObject({ kind: 'opening', delta: 1000, balance_after: 1000 })
    })

    it('open test accounts, move their clocks and delete them', async () => {
      expect((await member.try('POST', '/test_accounts', { name: 'No' }))[0]).toBe(403)
      const made = await owner.post('/test_accounts', { name: 'Rehearsal room' })
      expect(made).toMatchObject({ subdomain: 'rehearsal-room', state: 'running', role: 'owner' })
      const path = `/test_accounts/${made.id}`
      const before = Date.parse(made.clock)
      const asked = await owner.post(`${path}/advance`, { count: 2, unit: 'months' })
      expect(asked).toMatchObject({ state: 'requested', target: expect.stringMatching(/Z$/) })
      expect((await owner.try('POST', `${path}/advance`, { count: 1, unit: 'days' }))[0]).toBe(400)
      await expect.poll(() => owner.get(path), { timeout: 15_000 }).toMatchObject({ state: 'running', target: null })
      expect(Date.parse((await owner.get(path)).clock) - before).toBeGreaterThan(58 * 24 * 3600 * 1000)
      expect((await owner.try('POST', `${path}/advance`, { to: '2020-01-01T00:00:00Z' }))[0]).toBe(422)
      expect((await member.try('GET', path))[0]).toBe(404)
      expect((await member.try('POST', `${path}/delete`, { subdomain: made.subdomain }))[0]).toBe(404)
      expect((await owner.try('POST', `${path}/delete`, { subdomain: 'other' }))[0]).toBe(422)
      expect(await owner.post(`${path}/delete`, { subdomain: made.subdomain })).toMatchObject({
        deleted: true,
        finished: true,
      })
      expect((await owner.get('/test_accounts')).data.map(({ id }: Body) => id)).not.toContain(made.id)
    })

    it('never move or delete what is no test account', async () => {
      for (const id of [shop.accountId, 'acct_01k9z6v8q2f3x7c5m1n4b0r8ta']) {
        expect((await owner.try('POST', `/test_accounts/${id}/advance`, { count: 1, unit: 'days' }))[0]).toBe(404)
        expect((await owner.try('POST', `/test_accounts/${id}/delete`, { subdomain: 'x' }))[0]).toBe(404)
      }
    })

    it('delete the account for its owner alone, who types its subdomain', async () => {
      const doomed = shop.as(await shop.running.another('doomed'))
      await doomed.product()
      const token = (await (await ownerOf(doomed)).post('/api_tokens', { name: 'Ends' })).value
      for (const role of ['member', 'admin'] as const)
        expect((await (await memberOf(doomed, role)).try('POST', '/account/delete', { subdomain: 'doomed' }))[0]).toBe(
          403,
        )
      const doomedOwner = await ownerOf(doomed)
      expect((await doomedOwner.try('POST', '/account/delete', { subdomain: 'doomd' }))[0]).toBe(422)
      expect((await doomed.api('GET', '/me', undefined, { token })).status).toBe(200)
      expect(await doomedOwner.post('/account/delete', { subdomain: 'doomed' })).toMatchObject({ finished: true })
      expect((await doomed.api('GET', '/me', undefined, { token })).status).toBe(401)
      const left = shop.db.selectFrom('products').select('id').where('account_id', '=', doomed.accountId)
      expect(await left.execute()).toEqual([])
    })
  })
})
