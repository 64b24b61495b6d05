import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readSettings } from '../../../src/settings/config.ts'
import { Visitor } from '../../pages/visitor.ts'
import { png } from '../../support/picture.ts'
import { type Body, Shop } from '../../support/shop.ts'
import { X_SETTINGS } from '../../support/x-oauth.ts'
import { XServer } from '../../support/x-server.ts'

const PNG = png(8, 8)

describe('X', () => {
  const shop = new Shop()
  const x = new XServer()
  let account: Body
  beforeAll(async () => {
    await x.open()
    await shop.open('sqlite', { SIMULATED_PROVIDERS: 'false', OUTSIDE_ALLOW_LOOPBACK: 'true' })
    x.reachedBy(shop, X_SETTINGS)
  })
  afterAll(async () => {
    await shop.close()
    await x.close()
  })

  const goOn = async (url: string): Promise<{ visitor: Visitor; address: string }> => {
    const visitor = new Visitor(shop.running.url)
    const left = await visitor.press(await visitor.open(url), 'continue')
    return { visitor, address: /^0; url=(.+)$/.exec(left.headers.get('refresh') ?? '')?.[1] ?? '' }
  }
  const uploaded = async (name: string, bytes: Uint8Array, more: object = {}): Promise<string> => {
    const file = await shop.post('/files', { filename: name, ...more })
    await fetch(file.upload_url, { method: 'PUT', body: bytes as BodyInit, headers: file.upload_headers })
    await shop.post(`/files/${file.id}/uploaded`)
    return file.id
  }
  const publish = async (more: object): Promise<Body> => {
    const { id } = await shop.post('/social_posts', { social_accounts: [account.id], publish_now: true, ...more })
    await shop.settled()
    const { data } = await shop.get(`/social_posts/${id}/targets`)
    return { id, ...data[0] }
  }
  const hurry = () =>
    shop.running.app.database.transaction(({ db }) =>
      db
        .updateTable('jobs')
        .set({ run_at: '2026-01-01T00:00:00.000Z' })
        .where('state', '=', 'waiting')
        .where('lane', '=', 'outside')
        .execute(),
    )
  const published = (id: string) =>
    expect.poll(async () => (await shop.get(`/social_posts/${id}`)).status, { timeout: 10_000 }).toBe('published')

  it('is not set up without the settings, which the refusal names', async () => {
    x.reachedBy(shop, {})
    const errors = await shop.refusal('POST', '/social_accounts', { platform: 'x' })
    expect(errors.platform[0]).toContain('is not set up on this service. Ask whoever runs it')
    x.reachedBy(shop, X_SETTINGS)
    expect(() => readSettings({ X_CLIENT_ID: 'some-id' })).toThrow('X_CLIENT_SECRET is missing')
  })

  it('connects on the page of X with the scopes that are needed', async () => {
    const { id, connect_url } = await shop.post('/social_accounts', { platform: 'x' })
    const { visitor, address } = await goOn(connect_url)
    expect(new URL(address).searchParams.get('scope')).toBe(
      'tweet.read tweet.write tweet.moderate.write users.read like.write media.write offline.access',
    )
    expect((await visitor.follow(x.oauth.allow(address))).text).toContain('X is connected')
    account = await shop.get(`/social_accounts/${id}`)
    expect(account).toMatchObject({
      ...{ status: 'connected', username: 'kestrel', display_name: 'Kestrel', followers_count: 12 },
      profile_url: 'https://x.com/kestrel',
    })
  })

  it('publishes with a described picture and a first comment, and reads what came of it', async () => {
    const picture = await uploaded('bird.png', PNG, { alternative_text: 'A kestrel' })
    const post = await publish({
      ...{ content: 'Back <in> stock & more', media: [picture], link_url: 'https://kestrel.example/shop' },
      first_comment: 'Ask us anything',
    })
    expect(post).toMatchObject({
      status: 'published',
      platform_url: `https://x.com/kestrel/status/${post.platform_post_id}`,
    })
    const [made, comment] = x.posts
    expect(made).toMatchObject({ text: 'Back <in> stock & more\nhttps://kestrel.example/shop', media: ['m0'] })
    expect(comment).toMatchObject({ text: 'Ask us anything', to: made!.id })
    expect(x.media[0]).toMatchObject({ category: 'tweet_image', total: PNG.length, description: 'A kestrel' })
    const answer = x.reply(made!.id, 'When & where?')
    x.reply(answer, 'Next week, I heard')
    await shop.post(`/social_accounts/${account.id}/sync`)
    await shop.settled()
    const { data } = await shop.get('/social_comments?limit=10')
    expect(
      data.map(({ content, author_username, from_account }: Body) => [content, author_username, from_account]),
    ).toEqual(
      expect.arrayContaining([
        ['Ask us anything', 'kestrel', true],
        ['When & where?', 'mara', false],
        ['Next week, I heard', 'mara', false],
      ]),
    )
    expect(data).toHaveLength(3)
    const figures = await shop.db.selectFrom('social_figures').selectAll().where('social_post', '=', post.id).execute()
    expect(figures).toEqual([
      expect.objectContaining({ impressions: 100, likes: 3, comments: 1, shares: 3, saves: 4, reach: 0 }),
    ])
  })

  it('likes, hides, answers and deletes comments', async () => {
    const { data } = await shop.get('/social_comments')
    const theirs = data.find(({ content }: Body) => content === 'When & where?')
    await shop.post(`/social_comments/${theirs.id}/like`)
    expect([...x.likes]).toEqual([theirs.platform_comment_id])
    await shop.post(`/social_comments/${theirs.id}/unlike`)
    expect(x.likes.size).toBe(0)
    await shop.post(`/social_comments/${theirs.id}/hide`)
    expect(x.posts.find(({ id }) => id === theirs.platform_comment_id)?.hidden).toBe(true)
    const reply = await shop.post(`/social_comments/${theirs.id}/reply`, { content: 'On Friday' })
    const made = x.posts.find(({ text }) => text === 'On Friday')!
    expect(made.to).toBe(theirs.platform_comment_id)
    await shop.delete(`/social_comments/${reply.id}`)
    await shop.settled()
    expect(x.posts).not.toContain(made)
  })

  it('sends a video in parts and waits until X has looked at it', async () => {
    const bytes = new Uint8Array(9_000_001).fill(1)
    bytes.set(Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom', 'latin1'))
    const film = await uploaded('bird.mp4', bytes, { content_type: 'video/mp4' })
    expect(await publish({ content: 'A film', media: [film] })).toMatchObject({ status: 'published' })
    expect(x.media.at(-1)).toMatchObject({
      category: 'tweet_video',
      parts: [4_000_000, 4_000_000, 1_000_001],
      looks: 2,
    })
    x.endsProcessing = 'failed'
    expect(await publish({ content: 'Not a film', media: [film] })).toMatchObject({
      ...{ status: 'failed', error_message: 'The video is not supported.' },
    })
    x.endsProcessing = 'succeeded'
  })

  it('posts once when the answer is lost, with links, pictures and a comment', async () => {
    const picture = await uploaded('bird.png', PNG)
    x.loses = /^POST api\.x\.com\/2\/tweets$/
    const content = 'Lost & found: kestrel.example/a and https://kestrel.example/b/'
    const post = await publish({ content, media: [picture], first_comment: 'Below' })
    expect(post.status).toBe('pending')
    await hurry()
    await published(post.id)
    expect(x.posts.filter(({ text }) => text === content)).toHaveLength(1)
    expect(x.posts.filter(({ text }) => text === 'Below')).toHaveLength(1)
    x.loses = /^POST api\.x\.com\/2\/tweets$/
    const again = await publish({ content: 'Not lost at all' })
    x.posts = x.posts.filter(({ text }) => text !== 'Not lost at all')
    await hurry()
    await published(again.id)
    expect(x.posts.filter(({ text }) => text === 'Not lost at all')).toHaveLength(1)
    expect(shop.running.errors.splice(0)).toHaveLength(2)
  })

  it('refuses in the words of X', async () => {
    expect(await publish({ content: 'Lost & found: kestrel.example/a and https://kestrel.example/b/' })).toMatchObject({
      status: 'failed',
      error_message: 'You are not allowed to create a Tweet with duplicate content.',
    })
  })

  it('waits as long as X says', async () => {
    x.limitedUntil = Math.floor(Date.now() / 1000) + 900
    const post = await publish({ content: 'A little later' })
    const jobs = () =>
      shop.db.selectFrom('jobs').selectAll().where('state', '=', 'waiting').where('lane', '=', 'outside').execute()
    expect(post.status).toBe('pending')
    const [job] = await jobs()
    expect(job).toMatchObject({ attempts: 0, last_error: 'Too Many Requests' })
    expect(Math.abs(Date.parse(job!.run_at) / 1000 - x.limitedUntil)).toBeLessThan(10)
    x.limitedUntil = 0
    await hurry()
    await published(post.id)
  })

  it('renews access with a refresh token that works once, and expires where X refuses', async () => {
    const renew = () => shop.set('social_accounts', account.id, { renew_at: '2026-01-01T00:00:00.000Z' })
    const tokens = () => [...x.oauth.grants.keys()]
    const [before] = tokens()
    await renew()
    expect(await publish({ content: 'Renewed' })).toMatchObject({ status: 'published' })
    expect(tokens()).not.toContain(before)
    await renew()
    expect(await publish({ content: 'Renewed again' })).toMatchObject({ status: 'published' })
    x.oauth.grants.clear()
    await renew()
    const words = 'Value passed for the token was invalid.'
    expect(await publish({ content: 'Too late' })).toMatchObject({ status: 'failed', error_message: words })
    expect(await shop.get(`/social_accounts/${account.id}`)).toMatchObject({ status: 'expired', error_message: words })
  })

  it('reads figures without the plan to search, and takes the limit of those who pay', async () => {
    x.maySearch = false
    x.subscription = 'Premium'
    const { connect_url } = await shop.post(`/social_accounts/${account.id}/reconnect`)
    const { visitor, address } = await goOn(connect_url)
    await visitor.follow(x.oauth.allow(address))
    const check = await shop.post('/social_posts/validate', {
      content: 'é'.repeat(25_001),
      social_accounts: [account.id],
    })
    expect(check.results[0].errors).toEqual(['Content is too long for X (25001 characters, maximum is 25000)'])
    const { followers_count, status } = await shop.get(`/social_accounts/${account.id}`)
    expect([status, followers_count]).toEqual(['connected', 12])
  })

  it('ends both tokens when it is disconnected', async () => {
    expect(x.oauth.grants.size).toBe(1)
    await shop.delete(`/social_accounts/${account.id}`)
    await shop.settled()
    expect(x.oauth.grants.size).toBe(0)
  })
})
