import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fediverseProvider } from '../../../src/features/social/providers/fediverse/fediverse.ts'
import { PlatformBusyError, PlatformRefusedError } from '../../../src/features/social/providers/provider.ts'
import { createWeb } from '../../../src/providers/web/registry.ts'
import { type MastodonServer, startMastodon } from '../../support/mastodon-server.ts'
import { type Body, Shop } from '../../support/shop.ts'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

describe('Mastodon', () => {
  const shop = new Shop()
  let instance: MastodonServer
  beforeAll(async () => {
    instance = await startMastodon()
    await shop.open('sqlite', { SIMULATED_PROVIDERS: 'false', OUTSIDE_ALLOW_LOOPBACK: 'true' })
  })
  afterAll(async () => {
    await shop.close()
    await instance.close()
  })
  const credentials = () => ({ instance: instance.url, access_token: instance.token })

  it('connects, publishes with a picture and a first comment, and reads what came of it', async () => {
    const wrong = await shop.post('/social_accounts', {
      platform: 'mastodon',
      credentials: { ...credentials(), access_token: 'no' },
    })
    expect(wrong).toMatchObject({ status: 'error', error_message: 'The access token is invalid' })
    const account = await shop.post('/social_accounts', { platform: 'mastodon', credentials: credentials() })
    expect(account).toMatchObject({
      status: 'connected',
      username: 'kestrel@127.0.0.1',
      display_name: 'Kestrel',
      followers_count: 12,
    })
    const file = await shop.post('/files', { filename: 'bird.png', alternative_text: 'A kestrel, in two greens' })
    await fetch(file.upload_url, { method: 'PUT', body: new Uint8Array(PNG), headers: file.upload_headers })
    await shop.post(`/files/${file.id}/uploaded`)
    const post = await shop.post('/social_posts', {
      ...{ content: 'Back <in> stock & more', media: [file.id], first_comment: 'https://kestrel.example' },
      language: 'pt-BR',
      social_accounts: [account.id],
    })
    await shop.post(`/social_posts/${post.id}/publish`)
    await shop.settled()
    expect(await shop.get(`/social_posts/${post.id}`)).toMatchObject({ status: 'published' })
    const [comment, status] = instance.statuses
    expect(status).toMatchObject({ media_attachments: [{ id: 'm0' }], in_reply_to_id: null })
    expect(instance.media[0]).toMatchObject({ description: 'A kestrel, in two greens' })
    expect(comment).toMatchObject({ in_reply_to_id: status!.id })
    expect([status!.language, comment!.language]).toEqual(['pt', 'pt'])
    await shop.post(`/social_accounts/${account.id}/sync`)
    await shop.settled()
    const { data } = await shop.get('/social_comments')
    expect(data.map(({ content }: Body) => content)).toContain('https://kestrel.example')
  })

  it('shows the figures of posts, and reads the others when one was deleted on the server', async () => {
    const { data: accounts } = await shop.get('/social_accounts?status=connected')
    const [{ id: account }] = accounts
    const publish = async (content: string) => {
      const { id } = await shop.post('/social_posts', { content, social_accounts: [account], publish_now: true })
      await shop.settled()
      return { id, status: (await shop.get(`/social_posts/${id}/targets`)).data[0].platform_post_id }
    }
    const [kept, deleted] = [await publish('It stays'), await publish('It goes')]
    instance.gone.add(deleted.status)
    await shop.post(`/social_accounts/${account}/sync`)
    await shop.settled()
    expect((await shop.get(`/social_accounts/${account}`)).error_message).toBeNull()
    const { metrics } = await shop.get(`/social_posts/${kept.id}/analytics`)
    expect(metrics).toMatchObject({ likes: 3, comments: 1, shares: 2 })
    expect((await shop.get(`/social_posts/${deleted.id}/analytics`)).metrics.likes).toBe(0)
    expect((await shop.get(`/social_accounts/${account}/analytics`)).metrics.likes).toBeGreaterThan(3)
    instance.gone.clear()
  })

  it.each([false, true])(
    'names an account by the domain of its server, which its address may not have (old: %s)',
    async (old) => {
      Object.assign(instance, { domain: `birds${old ? '-of-old' : ''}.example`, isOld: old })
      const account = await shop.post('/social_accounts', { platform: 'mastodon', credentials: credentials() })
      expect(account.username).toBe(`kestrel@${instance.domain}`)
      Object.assign(instance, { domain: '127.0.0.1', isOld: false })
    },
  )

  describe('an account that was connected with the host of its pages', () => {
    /** Makes an account with a post, and stores the name that earlier versions gave it. */
    const storedWrongly = async (more: Body = {}) => {
      instance.domain = `birds-${++made}.example`
      const { id } = await shop.post('/social_accounts', { platform: 'mastodon', credentials: credentials() })
      const wrong = 'kestrel@127.0.0.1'
      const post = await shop.post('/social_posts', { content: 'Kept', social_accounts: [id], publish_now: true })
      await shop.settled()
      const { data: all } = await shop.get('/social_accounts')
      for (const one of all) if (one.username === wrong) await shop.delete(`/social_accounts/${one.id}`)
      await shop.set('social_accounts', id, { username: wrong, username_key: wrong, ...more })
      return { id, post: post.id, right: `kestrel@${instance.domain}` }
    }
    const isMended = async ({ id, post, right }: Awaited<ReturnType<typeof storedWrongly>>) => {
      expect(await shop.get(`/social_accounts/${id}`)).toMatchObject({
        ...{ status: 'connected', error_message: null, username: right },
      })
      expect((await shop.get(`/social_posts/${post}/targets`)).data).toMatchObject([
        { social_account: id, status: 'published' },
      ])
    }
    let made = 0
    afterAll(() => {
      instance.domain = '127.0.0.1'
    })

    it('has the right name from its next reading on, and keeps its posts', async () => {
      const account = await storedWrongly()
      await shop.post(`/social_accounts/${account.id}/sync`)
      await shop.settled()
      await isMended(account)
      expect((await shop.get(`/social_posts/${account.post}/analytics`)).metrics.likes).toBe(3)
    })

    it('has it when access is given again, and is not taken for another one', async () => {
      const account = await storedWrongly({ status: 'expired' })
      await shop.post(`/social_accounts/${account.id}/reconnect`, { credentials: credentials() })
      await shop.settled()
      await isMended(account)
      const other = await storedWrongly({ status: 'expired' })
      await shop.set('social_accounts', other.id, { username: 'wren@127.0.0.1', username_key: 'wren@127.0.0.1' })
      await shop.post(`/social_accounts/${other.id}/reconnect`, { credentials: credentials() })
      await shop.settled()
      expect((await shop.get(`/social_accounts/${other.id}`)).error_message).toBe(
        `Access was granted for ${other.right} instead of wren@127.0.0.1.`,
      )
    })
  })

  describe('asked directly', () => {
    const provider = fediverseProvider(
      createWeb({ WEBHOOKS_ALLOW_LOOPBACK: false, OUTSIDE_ALLOW_LOOPBACK: true }).outside,
    )
    const login = (given: Record<string, string> = credentials()) => ({
      ...{ platform: 'mastodon', id: 'sacct_x', username: 'kestrel', test: false, publicUrl: 'http://localhost' },
      credentials: given,
    })
    const signal = AbortSignal.timeout(60_000)
    const request = (key: string, again: boolean, firstComment: string | null = null) => ({
      ...{
        login: login(),
        signal,
        key,
        again,
        target: 'x',
        text: `Once, ${key}, with @ada@example.social,\nand <no> more`,
        media: [],
        firstComment,
      },
    })

    it('makes one post of many tries, also when the key is forgotten', async () => {
      const before = instance.statuses.length
      instance.losesAnswer = true
      await expect(provider.publish(request('a', false, 'below'))).rejects.toThrow()
      instance.forget()
      const first = await provider.publish(request('a', true, 'below'))
      const again = await provider.publish(request('a', true, 'below'))
      expect([again.id, again.firstCommentId]).toEqual([first.id, first.firstCommentId])
      expect(instance.statuses.length).toBe(before + 2)
    })

    it('refuses in the words of the instance, and keeps a post whose comment is refused', async () => {
      const long = { ...request('b', false), text: 'x'.repeat(501) }
      await expect(provider.publish(long)).rejects.toMatchObject({
        constructor: PlatformRefusedError,
        expired: false,
        message: /character limit/,
      })
      expect(await provider.publish(request('c', false, 'y'.repeat(501)))).toMatchObject({ firstCommentId: null })
      const revoked = { ...request('d', false), login: login({ ...credentials(), access_token: 'revoked' }) }
      await expect(provider.publish(revoked)).rejects.toMatchObject({
        constructor: PlatformRefusedError,
        expired: true,
      })
    })

    it('says until when the instance limits the rate, by its header', async () => {
      instance.limitedUntil = new Date(Date.now() + 90_000)
      const asked = provider.publish(request('busy', false))
      await expect(asked).rejects.toMatchObject({
        ...{ constructor: PlatformBusyError, message: 'Too many requests' },
        until: instance.limitedUntil.getTime(),
      })
      instance.limitedUntil = null
    })

    it('answers once, likes and deletes', async () => {
      const { id } = await provider.publish(request('e', false))
      const asked = { login: login(), signal, comment: id, content: null, again: false }
      const reply = (again = false) =>
        provider.comment({ ...asked, key: 'r', action: 'reply', content: 'Thank you', again })
      const made = await reply()
      instance.forget()
      expect((await reply(true)).id).toBe(made.id)
      await provider.comment({ ...asked, key: 'l', action: 'like' })
      expect(instance.likes).toEqual([id])
      await provider.comment({ ...asked, key: 'u', action: 'unlike' })
      expect(instance.likes).toEqual([])
      await provider.comment({ ...asked, key: 'x', action: 'delete', comment: made.id! })
      expect(instance.statuses.map((one) => one.id)).not.toContain(made.id)
      await expect(provider.comment({ ...asked, key: 'h', action: 'hide' })).rejects.toThrow(PlatformRefusedError)
    })

    it.each(['http://169.254.169.254', '10.0.0.1', 'metadata.google.internal', 'user:word@mastodon.social'])(
      'goes to no private address: %s',
      async (given) => {
        const strict = fediverseProvider(
          createWeb({ WEBHOOKS_ALLOW_LOOPBACK: false, OUTSIDE_ALLOW_LOOPBACK: false }).outside,
        )
        await expect(strict.connect({ login: login({ instance: given, access_token: 't' }), signal })).rejects.toThrow()
      },
    )
  })
})
