import { describe, expect, it } from 'vitest'
import { onGateEngine } from '../../support/shop.ts'
import { connected } from '../../support/social.ts'

const WORDS = /is not set up on this service\. Ask whoever runs it/

describe('The sandbox of social networks, where it serves test accounts alone', () => {
  onGateEngine(
    (service) => {
      const credentials = { token: 'sandbox' }

      it('connects no account of a live shop, and says why at the platform', async () => {
        const { status, body } = await service.api('POST', '/social_accounts', { platform: 'x' })
        expect([status, body.error.errors]).toEqual([422, { platform: [expect.stringMatching(WORDS)] }])
        expect((await service.get('/social_accounts')).data).toEqual([])
      })

      it('connects those of a test account', async () => {
        const shop = service.as(await service.running.another('tries-social', { test: true }))
        expect(await shop.post('/social_accounts', { platform: 'x', credentials })).toMatchObject({ sandbox: true })
      })

      it('publishes nothing for a live shop that it served before, and ends the access', async () => {
        const { id } = await connected(service.as(await service.running.another('was-served', { test: true })))
        await service.settled()
        await service.running.app.database.transaction(({ db }) =>
          db.updateTable('social_accounts').set({ account_id: service.accountId }).where('id', '=', id).execute(),
        )
        const post = await service.post('/social_posts', { content: 'Hello', social_accounts: [id] })
        await service.post(`/social_posts/${post.id}/publish`)
        await service.settled()
        expect((await service.get(`/social_posts/${post.id}`)).status).toBe('failed')
        expect(await service.get(`/social_accounts/${id}`)).toMatchObject({
          status: 'expired',
          error_message: expect.stringContaining('for test accounts only'),
        })
        const again = await service.api('POST', `/social_accounts/${id}/reconnect`, {})
        expect([again.status, Object.keys(again.body.error.errors)]).toEqual([422, ['platform']])
      })
    },
    { SIMULATED_PROVIDERS: 'false' },
  )
})
