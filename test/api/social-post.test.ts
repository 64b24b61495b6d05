import { beforeAll, describe, expect, it } from 'vitest'
import { type Body, onGateEngine } from '../support/shop.ts'
import { connected, inDays } from '../support/social.ts'

describe('A social post', () => {
  onGateEngine((shop) => {
    const on: Record<string, string> = {}
    beforeAll(async () => {
      for (const platform of ['x', 'instagram', 'youtube', 'pinterest'])
        on[platform] = (await connected(shop, { platform })).id
      on.refuses = (await connected(shop, { token: 'refuses' })).id
    })

    const draft = (accounts: string[], more: object = {}): Promise<Body> =>
      shop.post('/social_posts', { social_accounts: accounts.map((name) => on[name]), content: 'Hello', ...more })
    const types = async (change: () => Promise<unknown>) => (await shop.eventsOf(change)).map(({ type }) => type)
    const targets = async (id: string) => (await shop.get(`/social_posts/${id}/targets`)).data

    it('is a draft at first, whatever the platforms would say of it', async () => {
      const post = await draft(['instagram'], { content: 'x'.repeat(5000), metadata: { campaign: 'spring' } })
      expect(post).toMatchObject({
        ...{ status: 'draft', social_accounts: [on.instagram], media: [], overrides: {}, timezone: 'UTC' },
        ...{ scheduled_at: null, published_at: null, metadata: { campaign: 'spring' } },
      })
      expect(post).not.toHaveProperty('targets')
      expect(post).not.toHaveProperty('publish_now')
      expect(await targets(post.id)).toEqual([])
      const path = `/social_posts/${post.id}/targets`
      expect((await shop.get(path)).url).toBe(`/v1${path}`)
    })

    it('needs words or media', async () => {
      const social_accounts = [on.x]
      expect(await shop.refusal('POST', '/social_posts', { social_accounts })).toEqual([
        ...[400, 'parameter_missing', 'content'],
      ])
      expect(await shop.refusal('POST', '/social_posts', { social_accounts, content: '  ' })).toEqual({
        content: ["can't be blank"],
      })
      const media = [await shop.file()]
      const post = await shop.post('/social_posts', { social_accounts, media })
      expect(post.media).toEqual(media)
      expect(await shop.refusal('PATCH', `/social_posts/${post.id}`, { media: [] })).toEqual({
        content: ["can't be blank"],
      })
    })

    it('shows only files that are ready', async () => {
      const pending = await shop.file({ upload_status: 'pending' })
      const body = { social_accounts: [on.x], content: 'Hello' }
      expect(await shop.refusal('POST', '/social_posts', { ...body, media: [pending] })).toEqual({
        'media.0': ['is not ready: its upload_status is pending'],
      })
      const overrides = { x: { media: [await shop.file(), pending] } }
      expect(await shop.refusal('POST', '/social_posts', { ...body, overrides })).toEqual({
        'overrides.x.media.1': ['is not ready: its upload_status is pending'],
      })
      const myspace = await shop.refusal('POST', '/social_posts', { ...body, overrides: { myspace: {} } })
      expect(myspace).toEqual({ overrides: ['must not have the unknown key "myspace"'] })
    })

    it('keeps the files that it shows while it is planned, and only then', async () => {
      const [shown, instead] = [await shop.file(), await shop.file()]
      const more = { media: [shown], overrides: { x: { media: [instead] } }, scheduled_at: inDays(2) }
      const post = await draft(['x', 'pinterest'], more)
      for (const file of [shown, instead]) {
        const { status, body: answer } = await shop.api('DELETE', `/files/${file}`)
        expect([status, answer.error.code]).toEqual([400, 'resource_in_use'])
        expect(answer.error.message).toContain(post.id)
      }
      await shop.post(`/social_posts/${post.id}/unschedule`)
      await shop.delete(`/files/${shown}`)
      const schedule = `/social_posts/${post.id}/schedule`
      expect(await shop.refusal('POST', schedule, { scheduled_at: inDays(2) })).toEqual({
        media: ['has a file that was deleted; remove it'],
      })
      await shop.delete(`/files/${instead}`)
      expect((await shop.get(`/social_posts/${post.id}?expand=media`)).media).toEqual([])
    })

    it('is published on each of its accounts, and shows where', async () => {
      const media = [await shop.file({ content_type: 'image/jpeg' })]
      const events = await shop.eventsOf(async () => {
        const post = await draft(['x', 'instagram'], { media, publish_now: true })
        expect(post.status).toBe('published')
        expect(post.published_at).not.toBeNull()
        const expanded = await shop.get(`/social_posts/${post.id}?expand=targets,social_accounts,media`)
        expect(expanded.targets.map((target: Body) => [target.social_account, target.platform, target.status])).toEqual(
          [
            [on.x, 'x', 'published'],
            [on.instagram, 'instagram', 'published'],
          ],
        )
        expect(expanded.targets[0]).not.toHaveProperty('id')
        expect(expanded.social_accounts[0].object).toBe('social_account')
        expect(expanded.media[0].id).toBe(media[0])
      })
      expect(events.map(({ type, data }) => [type, data.status])).toEqual([
        ['social_post.created', 'publishing'],
        ['social_post.published', 'published'],
      ])
    })

    it('says where it failed and why, and is tried again only there', async () => {
      on.flaky = (await connected(shop, { token: 'flaky' })).id
      const post = await draft(['x', 'flaky'])
      const published = () => shop.post(`/social_posts/${post.id}/publish`)
      expect(await types(published)).toEqual(['social_post.updated', 'social_post.partially_failed'])
      const [good, bad] = await targets(post.id)
      expect([good.status, bad.status, bad.platform_url]).toEqual(['published', 'failed', null])
      expect(bad.error_message).toContain('refused')
      expect(await shop.listed(`/social_posts/${post.id}/targets?status=failed`, 'social_account')).toEqual([on.flaky])
      const retried = () => shop.post(`/social_posts/${post.id}/retry`)
      expect(await types(retried)).toEqual(['social_post.updated', 'social_post.published'])
      const again = await targets(post.id)
      expect(again[0]).toEqual(good)
      expect(again[1]).toMatchObject({ status: 'published', error_message: null })
    })

    it('fails where no account takes it', async () => {
      const post = await draft(['refuses'], { publish_now: true })
      expect(post).toMatchObject({ status: 'failed', published_at: null })
    })

    it('fails on an account whose access expires, which expires then', async () => {
      on.expires = (await connected(shop, { token: 'expires' })).id
      const events = await types(() => draft(['expires'], { publish_now: true }))
      expect(events).toEqual(['social_post.created', 'social_account.expired', 'social_post.failed'])
      expect(await shop.refusal('POST', '/social_posts', { ...body(on.expires!), publish_now: true })).toEqual({
        'social_accounts.0': ['is expired; reconnect it first'],
      })
    })

    it('is planned for a time in the future, within a year, and taken back', async () => {
      const at = inDays(10)
      const post = await draft(['x'])
      const schedule = (scheduled_at: string) => ({ scheduled_at, timezone: 'Europe/Berlin' })
      const path = `/social_posts/${post.id}`
      expect(await types(() => shop.post(`${path}/schedule`, schedule(at)))).toEqual([
        ...['social_post.scheduled', 'social_post.updated'],
      ])
      expect(await shop.get(path)).toMatchObject({ status: 'scheduled', scheduled_at: at, timezone: 'Europe/Berlin' })
      expect((await targets(post.id))[0]).toMatchObject({ status: 'pending', social_account: on.x })
      for (const wrong of [inDays(-1), inDays(366.01), inDays(400)])
        expect(await shop.refusal('POST', `${path}/schedule`, schedule(wrong))).toHaveProperty('scheduled_at')
      expect(await shop.post(`${path}/unschedule`)).toMatchObject({ status: 'draft', scheduled_at: null })
      expect(await targets(post.id)).toEqual([])
      expect(
        await shop.refusal('POST', '/social_posts', { ...body(on.x!), scheduled_at: at, publish_now: true }),
      ).toEqual({
        scheduled_at: ['cannot be given together with publish_now'],
      })
    })

    it('that is planned must go on fitting its accounts', async () => {
      const post = await draft(['x'], { scheduled_at: inDays(2) })
      const path = `/social_posts/${post.id}`
      expect(await shop.refusal('PATCH', path, { content: 'x'.repeat(281) })).toEqual({
        content: ['is too long for X (281 characters, maximum is 280)'],
      })
      expect(await shop.refusal('PATCH', path, { scheduled_at: null })).toEqual({ scheduled_at: ["can't be blank"] })
      expect(await shop.refusal('PATCH', path, { social_accounts: [on.instagram] })).toEqual({
        media: ['must have an image or a video for Instagram'],
      })
      const moved = await shop.patch(path, { social_accounts: [on.pinterest, on.x], media: [await shop.file()] })
      expect(moved.status).toBe('scheduled')
      expect((await targets(post.id)).map(({ platform }: Body) => platform).sort()).toEqual(['pinterest', 'x'])
    })

    it('is copied with its words and without its history', async () => {
      const post = await draft(['x'], { publish_now: true, metadata: { a: '1' }, first_comment: 'First' })
      const copy = await shop.post(`/social_posts/${post.id}/duplicate`)
      const { content, first_comment, social_accounts, metadata } = post
      expect(copy).toMatchObject({
        content,
        first_comment,
        social_accounts,
        metadata,
        status: 'draft',
        published_at: null,
      })
      expect(await targets(copy.id)).toEqual([])
    })

    it('is deleted here, and its comments stay', async () => {
      const post = await draft(['x'], { publish_now: true })
      await shop.post(`/social_accounts/${on.x}/sync`)
      const comments = await shop.listed(`/social_comments?social_post=${post.id}`)
      expect(comments.length).toBeGreaterThan(0)
      await shop.delete(`/social_posts/${post.id}`)
      expect((await shop.get(`/social_comments/${comments[0]}`)).social_post).toBeNull()
    })

    it('is found by status, account, platform and planned time', async () => {
      const other = (await connected(shop, { platform: 'linkedin' })).id
      const [soon, later] = [inDays(100), inDays(120)]
      const make = (at: string) => shop.post('/social_posts', { ...body(other), scheduled_at: at })
      const [one, two] = [await make(soon), await make(later)]
      const found = (query: string) => shop.listed(`/social_posts?${query}`)
      expect(await found(`social_account=${other}`)).toEqual([two.id, one.id])
      expect(await found('platform=linkedin&status=scheduled')).toEqual([two.id, one.id])
      expect(await found(`platform=linkedin&scheduled_after=${soon}`)).toEqual([two.id])
      expect(await found(`platform=linkedin&scheduled_before=${later}`)).toEqual([one.id])
      expect(await found('social_account=%25')).toEqual([])
      expect(await shop.refusal('GET', '/social_posts?platform=myspace')).toEqual([
        400,
        'parameter_invalid',
        'platform',
      ])
    })

    it('has targets that are paged by their accounts', async () => {
      const { id } = await draft(['x', 'pinterest', 'instagram'], {
        media: [await shop.file({ content_type: 'image/jpeg' })],
        publish_now: true,
      })
      const path = `/social_posts/${id}/targets?limit=2`
      const first = await shop.get(path)
      expect([first.has_more, first.data.length]).toEqual([true, 2])
      const rest = await shop.get(`${path}&starting_after=${first.data[1].social_account}`)
      expect([rest.has_more, rest.data[0].social_account]).toEqual([false, on.instagram])
      expect(await shop.refusal('GET', `${path}&starting_after=${on.youtube}`)).toEqual([
        ...[400, 'parameter_invalid', 'starting_after'],
      ])
    })

    const body = (account: string) => ({ social_accounts: [account], content: 'Hello' })
  })
})
