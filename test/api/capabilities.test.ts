import { describe, expect, it } from 'vitest'
import { onGateEngine } from '../support/shop.ts'
import { withToken } from '../tasks/support.ts'

describe('Addresses that let whoever has them act', () => {
  onGateEngine((shop) => {
    it.each(['read', 'propose'] as const)('are hidden from tokens that may only %s', async (right) => {
      const { shop: reading } = await withToken(shop, right)
      const source = await shop.post('/event_sources', { provider: 'webhook', event_type: 'received' })
      const account = await shop.post('/social_accounts', { platform: 'facebook', username: `by-${right}` })
      expect(source.ingest_url).toMatch(/\/ingest\//)
      expect(account.connect_url).toMatch(/\/social\/connect\//)
      expect(await reading.get(`/event_sources/${source.id}`)).toMatchObject({ ingest_url: null })
      expect(await reading.get(`/social_accounts/${account.id}`)).toMatchObject({ connect_url: null })
      expect(await reading.listed('/event_sources', 'ingest_url')).not.toContainEqual(expect.any(String))
      expect(await shop.get(`/event_sources/${source.id}`)).toMatchObject({ ingest_url: source.ingest_url })
    })
  })
})
