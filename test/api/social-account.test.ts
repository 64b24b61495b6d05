import { describe, expect, it } from 'vitest'
import { onGateEngine } from '../support/shop.ts'
import { connected } from '../support/social.ts'

describe('A social account', () => {
  onGateEngine((shop) => {
    const account = (id: string) => shop.get(`/social_accounts/${id}`)

    it('waits for a person at its connect_url', async () => {
      const made = await shop.post('/social_accounts', { platform: 'instagram', username: '@Ada.Books' })
      expect(made).toMatchObject({
        ...{ platform: 'instagram', username: 'Ada.Books', status: 'pending', sandbox: true, default_timezone: 'UTC' },
        ...{ followers_count: null, last_synced_at: null, error_message: null, allowed_actions: ['reconnect'] },
      })
      expect(made.connect_url).toMatch(new RegExp(`^${shop.running.url}/social/connect/${made.id}_secret_`))
      expect(await shop.refusal('POST', `/social_accounts/${made.id}/sync`)).toEqual([400, 'invalid_state'])
    })

    it('is connected at once with credentials that work, and then has a profile and followers', async () => {
      const made = await connected(shop, { platform: 'mastodon' })
      expect(made).toMatchObject({
        ...{ status: 'connected', connect_url: null, display_name: `${made.username} (sandbox)` },
        allowed_actions: ['reconnect', 'sync'],
      })
      expect(made.followers_count).toBeGreaterThan(0)
      // The figures are read at once, before what was read is stored.
      expect(made.created_at <= made.last_synced_at && made.last_synced_at <= made.updated_at).toBe(true)
      expect(await account(made.id)).toEqual(made)
    })

    it('keeps credentials where nobody sees them', async () => {
      const secret = 'a token that nobody may see'
      const events = await shop.eventsOf(async () => {
        const body = { platform: 'x', username: 'secretive', credentials: { token: secret } }
        const made = await shop.post('/social_accounts', body)
        expect(JSON.stringify(made)).not.toContain('token')
        const stored = await shop.db.selectFrom('social_accounts').selectAll().where('id', '=', made.id).execute()
        expect(stored[0]!.sealed_credentials!.length).toBeGreaterThan(40)
        expect(JSON.stringify(stored)).not.toContain(secret)
      })
      expect(events.map(({ type }) => type)).toEqual(['social_account.created', 'social_account.connected'])
      expect(JSON.stringify(events)).not.toContain(secret)
      const jobs = await shop.db.selectFrom('jobs').select('payload').execute()
      expect(JSON.stringify(jobs)).not.toContain(secret)
    })

    it('tells no event where it can be connected', async () => {
      const [event] = await shop.eventsOf(() => shop.post('/social_accounts', { platform: 'threads' }))
      expect(event!.data).not.toHaveProperty('connect_url')
    })

    it('is in error with credentials that do not work, until they do', async () => {
      const made = await connected(shop, { token: 'invalid' })
      expect(made).toMatchObject({ status: 'error', allowed_actions: ['reconnect'] })
      expect(made.error_message).toContain('refused access')
      const again = await shop.post(`/social_accounts/${made.id}/reconnect`, { credentials: { token: 'works' } })
      expect(again).toMatchObject({ status: 'connected', error_message: null })
    })

    it('stays connected while somebody renews its access', async () => {
      const { id } = await connected(shop)
      const asked = await shop.post(`/social_accounts/${id}/reconnect`)
      expect(asked.status).toBe('connected')
      expect(asked.connect_url).toContain('/social/connect/')
      const refused = await shop.post(`/social_accounts/${id}/reconnect`, { credentials: { token: 'invalid' } })
      expect(refused).toMatchObject({ status: 'connected', connect_url: null })
      expect(refused.error_message).toContain('refused access')
    })

    it('expires when the platform no longer accepts its access', async () => {
      const { id } = await connected(shop, { token: 'expires' })
      const events = await shop.eventsOf(() => shop.post(`/social_accounts/${id}/sync`))
      expect(events.map(({ type }) => type)).toEqual(['social_account.expired'])
      const expired = await account(id)
      expect(expired).toMatchObject({ status: 'expired', allowed_actions: ['reconnect'] })
      expect(await shop.get(`/social_accounts/${id}/health`)).toMatchObject({
        ...{ object: 'social_account_health', social_account: id, can_publish: false, status: 'expired' },
        problems: [{ code: 'access_expired', message: `Reconnect it. ${expired.error_message}` }],
      })
    })

    it('is healthy when it is connected, and says what is in the way otherwise', async () => {
      const { id } = await connected(shop)
      const health = await shop.get(`/social_accounts/${id}/health`)
      expect(health).toMatchObject({ can_publish: true, status: 'connected', problems: [] })
      const pending = await shop.post('/social_accounts', { platform: 'x' })
      const codes = async (one: string) =>
        (await shop.get(`/social_accounts/${one}/health`)).problems.map((problem: { code: string }) => problem.code)
      expect(await codes(pending.id)).toEqual(['not_connected'])
      expect(await codes((await connected(shop, { token: 'invalid' })).id)).toEqual(['connection_failed'])
    })

    it('is there once for each name on a platform, ignoring case', async () => {
      await shop.post('/social_accounts', { platform: 'bluesky', username: 'Only.Once' })
      const taken = { username: ['has already been taken'] }
      expect(await shop.refusal('POST', '/social_accounts', { platform: 'bluesky', username: '@only.once' })).toEqual(
        taken,
      )
      await shop.post('/social_accounts', { platform: 'x', username: 'only.once' })
      const twice = { platform: 'bluesky', username: 'raced' }
      const raced = await Promise.all([1, 2, 3].map(() => shop.api('POST', '/social_accounts', twice)))
      expect(raced.map(({ status }) => status).sort()).toEqual([201, 422, 422])
      const credentials = { token: 'works', username: 'Only.Once' }
      const late = await shop.post('/social_accounts', { platform: 'bluesky', credentials })
      expect(late).toMatchObject({ status: 'error', username: null })
      expect(late.error_message).toMatch(/^Only\.Once is already connected, as sacct_/)
    })

    it('refuses names and credentials that cannot be right', async () => {
      const refusal = (body: object) => shop.refusal('POST', '/social_accounts', { platform: 'x', ...body })
      expect(await refusal({ username: 'two words' })).toHaveProperty('username')
      expect(await refusal({ platform: 'myspace' })).toHaveProperty('platform')
      expect(await refusal({ redirect_url: 'javascript:alert(1)' })).toHaveProperty('redirect_url')
      expect(await refusal({ credentials: { token: 7 } })).toEqual({
        'credentials.token': ['must be a string, not an integer (7)'],
      })
      const many = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`key${index}`, 'x']))
      expect(await refusal({ credentials: many })).toEqual({ credentials: ['has more than 20 keys'] })
    })

    it('can be renamed for oneself', async () => {
      const { id } = await connected(shop)
      const changed = await shop.patch(`/social_accounts/${id}`, { label: 'Main', default_timezone: 'Europe/Berlin' })
      expect(changed).toMatchObject({ label: 'Main', default_timezone: 'Europe/Berlin' })
      const { timezone } = await shop.post('/social_posts', { social_accounts: [id], content: 'Hello' })
      expect(timezone).toBe('Europe/Berlin')
    })

    it('is listed by platform and status', async () => {
      const { id } = await connected(shop, { platform: 'tiktok' })
      const waiting = await shop.post('/social_accounts', { platform: 'tiktok' })
      expect(await shop.listed('/social_accounts?platform=tiktok')).toEqual([waiting.id, id])
      expect(await shop.listed('/social_accounts?platform=tiktok&status=connected')).toEqual([id])
    })

    it('takes its comments and figures along when it is disconnected, and fails what waits for it', async () => {
      const [gone, stays] = [await connected(shop), await connected(shop)]
      const post = await shop.post('/social_posts', { social_accounts: [gone.id], content: 'Out', publish_now: true })
      await shop.post(`/social_accounts/${gone.id}/sync`)
      const [comment] = await shop.listed(`/social_comments?social_account=${gone.id}`)
      const planned = await shop.post('/social_posts', {
        ...{ social_accounts: [gone.id, stays.id], content: 'Later' },
        scheduled_at: new Date(Date.now() + 3_600_000).toISOString(),
      })
      const events = await shop.eventsOf(() => shop.delete(`/social_accounts/${gone.id}`))
      expect(events.map(({ type, data }) => [type, data.status])).toEqual([
        ['social_account.disconnected', 'disconnected'],
      ])
      expect(await shop.listed(`/social_comments?social_account=${gone.id}`)).toEqual([])
      expect((await shop.api('GET', `/social_comments?starting_after=${comment}`)).status).toBe(200)
      expect((await shop.get(`/social_posts/${post.id}`)).status).toBe('published')
      const targets = (await shop.get(`/social_posts/${planned.id}/targets`)).data
      expect(targets.map(({ status, error_message }: Record<string, string>) => [status, error_message])).toEqual([
        ['failed', 'account disconnected'],
        ['pending', null],
      ])
      expect(await shop.refusal('POST', `/social_posts/${planned.id}/publish`)).toEqual({
        'social_accounts.0': ['was disconnected; remove it'],
      })
    })

    it('can be on any platform that is listed, with the limits of its posts', async () => {
      const { data, has_more } = await shop.get('/social_accounts/platforms')
      expect(has_more).toBe(false)
      expect(data.map(({ platform }: Record<string, string>) => platform)).toEqual([
        ...[
          'x',
          'instagram',
          'facebook',
          'linkedin',
          'tiktok',
          'youtube',
          'threads',
          'pinterest',
          'bluesky',
          'mastodon',
        ],
      ])
      for (const { platform, max_characters, supports } of data) {
        expect([platform, max_characters >= 280, Object.keys(supports)]).toEqual([
          platform,
          true,
          ['scheduling', 'first_comment', 'comments', 'hide_comments', 'delete_comments', 'likes', 'analytics'],
        ])
        await connected(shop, { platform })
      }
    })

    it('is nobody else’s, whatever is asked of it', async () => {
      const stranger = shop.as(await shop.running.another('social-stranger'))
      const { id } = await connected(shop)
      for (const path of ['', '/health', '/analytics'])
        expect(await stranger.refusal('GET', `/social_accounts/${id}${path}`)).toEqual([404, 'resource_missing'])
    })
  })
})
