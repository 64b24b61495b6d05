import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inDays } from '../../support/social.ts'
import { TIKTOK_SETTINGS, TikTokServer } from '../../support/tiktok-server.ts'
import { NetworkShop } from './network-shop.ts'

const JPEG = Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex')
const PUT = /^PUT open-upload/
const MB = 1_000_000

describe('TikTok', () => {
  const shop = new NetworkShop()
  const tiktok = new TikTokServer()
  let picture: string
  beforeAll(async () => {
    await shop.openFor(tiktok, TIKTOK_SETTINGS)
    picture = await shop.uploaded('bird.jpg', JPEG)
  })
  afterAll(async () => {
    await shop.close()
    await tiktok.close()
  })
  const film = () => shop.film(5, 1000)
  /** The person has chosen everybody, and lets them do everything. */
  const ALL = { privacy_level: 'PUBLIC_TO_EVERYONE', allow_comments: true, allow_duets: true, allow_stitches: true }
  const chosen = (more: object, options: object = ALL) => ({ overrides: { tiktok: { options } }, ...more })
  const publish = (more: object) => shop.publish(chosen(more))
  const errorsFor = (more: object) => shop.errorsFor(chosen(more))
  const uploads = () => tiktok.asked.filter((one) => PUT.test(one)).length

  it('connects on TikTok’s page with the scopes that are needed, and not with less', async () => {
    tiktok.reachedBy(shop, {})
    const errors = await shop.refusal('POST', '/social_accounts', { platform: 'tiktok' })
    expect(errors.platform[0]).toContain('is not set up on this service. Ask whoever runs it')
    tiktok.reachedBy(shop, TIKTOK_SETTINGS)
    const { connect_url } = await shop.post('/social_accounts', { platform: 'tiktok' })
    const { visitor, address } = await shop.setOut(connect_url)
    expect(new URL(address).searchParams.get('scope')).toBe(
      'user.info.basic,user.info.profile,user.info.stats,video.list,video.publish',
    )
    const less = await visitor.follow(tiktok.allow(address, ['user.info.basic', 'user.info.profile', 'video.list']))
    expect(less.text).toContain('TikTok was not allowed to give this: user.info.stats, video.publish.')
    const wrong = await shop.setOut(connect_url)
    const madeUp = tiktok.allow(wrong.address).replace(/code=[^&]+/, 'code=made-up')
    expect((await wrong.visitor.follow(madeUp)).text).toContain('Authorization code is expired.')
    tiktok.grants = []
    expect(await shop.connect('tiktok', tiktok.allow)).toMatchObject({
      ...{ status: 'connected', username: 'kestrel', display_name: 'Kestrel', followers_count: 12 },
      profile_url: 'https://vm.tiktok.com/k',
    })
  })

  it('sends a film in chunks and waits until it can be seen', async () => {
    tiktok.commentsOff = true
    const post = await publish({ content: 'A kestrel #birds', media: [await shop.film(5, 20 * MB)] })
    tiktok.commentsOff = false
    const [sent] = tiktok.posts
    expect(sent).toMatchObject({ chunk: 8 * MB, chunks: 2, received: 20 * MB })
    expect(sent!.words).toEqual({
      ...{ title: 'A kestrel #birds', privacy_level: 'PUBLIC_TO_EVERYONE' },
      ...{ disable_comment: true, disable_duet: false, disable_stitch: true },
    })
    expect(post).toMatchObject({
      ...{ status: 'published', platform_post_id: '7210531475052231000' },
      platform_url: 'https://www.tiktok.com/@kestrel/video/7210531475052231000',
    })
    await shop.sync()
    expect(await shop.figuresOf(post.id)).toEqual([
      expect.objectContaining({ impressions: 100, likes: 3, comments: 1, shares: 2, saves: 0 }),
    ])
  })

  it('lets TikTok fetch pictures from addresses that anybody can read', async () => {
    const content = `${'A long first line '.repeat(8)}\nand more`
    const another = await shop.uploaded('bird-2.jpg', JPEG)
    const post = await publish({ content, media: [picture, another] })
    const sent = tiktok.posts.at(-1)!
    expect(post).toMatchObject({ status: 'published', platform_url: expect.stringContaining('/@kestrel/photo/72105') })
    expect(sent.words).toMatchObject({ description: content, auto_add_music: false })
    expect(sent.words.title).toMatch(/^A long first line .*…$/)
    expect(sent.urls).toHaveLength(2)
    expect(Buffer.from(await (await fetch(sent.urls[0]!)).arrayBuffer())).toEqual(JPEG)
  })

  it('obeys what TikTok lets the account do', async () => {
    const long = await shop.film(61, 1000)
    tiktok.longest = 60
    expect(await publish({ content: 'Long', media: [long] })).toMatchObject({
      error_message: 'The video is too long for this account on TikTok (61 seconds, maximum is 60).',
    })
    await shop.sync()
    expect(await errorsFor({ content: 'Long', media: [long] })).toEqual([
      'Media has a video that is too long for TikTok (61 seconds, maximum is 60)',
    ])
  })

  it('posts nothing whose audience no person has chosen, of those that TikTok offers the account', async () => {
    const post = { social_accounts: [shop.account.id], content: 'For whom?', media: [picture] }
    const missing = (offered: string) =>
      `has no audience for TikTok: a person must choose tiktok.options.privacy_level, one of ${offered}`
    const offered = 'PUBLIC_TO_EVERYONE, MUTUAL_FOLLOW_FRIENDS, SELF_ONLY'
    const optionsOf = async () => (await shop.get(`/social_accounts/${shop.account.id}`)).post_options
    expect(await optionsOf()).toEqual({
      ...{ privacy_level: offered.split(', '), allow_comments: true, allow_duets: true, allow_stitches: false },
    })
    const later = { scheduled_at: inDays(2) }
    for (const more of [{ publish_now: true }, later, { ...later, overrides: { tiktok: { content: 'x' } } }])
      expect(await shop.refusal('POST', '/social_posts', { ...post, ...more })).toEqual({
        overrides: [missing(offered)],
      })
    expect(await shop.errorsFor(chosen(post, { privacy_level: 'FOLLOWER_OF_CREATOR' }))).toEqual([
      `Overrides has the audience FOLLOWER_OF_CREATOR, which TikTok does not offer this account, only ${offered}`,
    ])
    const { id } = await shop.post('/social_posts', post)
    for (const way of ['publish', 'schedule'])
      expect(await shop.refusal('POST', `/social_posts/${id}/${way}`, later)).toMatchObject({
        overrides: [missing(offered)],
      })
    tiktok.options = ['FOLLOWER_OF_CREATOR', 'SELF_ONLY']
    expect(await publish({ content: 'Not yet known', media: [picture] })).toMatchObject({
      ...{ status: 'failed', error_message: expect.stringContaining('only FOLLOWER_OF_CREATOR, SELF_ONLY.') },
    })
    await shop.sync()
    expect((await optionsOf()).privacy_level).toEqual(['FOLLOWER_OF_CREATOR', 'SELF_ONLY'])
    tiktok.options = ['PUBLIC_TO_EVERYONE', 'MUTUAL_FOLLOW_FRIENDS', 'SELF_ONLY']
    await shop.sync()
  })

  it('fails at its time a post that was scheduled without an audience, and says what to choose', async () => {
    const { id } = await shop.post(
      '/social_posts',
      chosen({ social_accounts: [shop.account.id], content: 'Old', media: [picture], scheduled_at: inDays(2) }),
    )
    await shop.set('social_posts', id, { overrides: '{}', scheduled_at: '2026-01-01T00:00:00.000Z' })
    const before = tiktok.posts.length
    await shop.runWaiting('name', 'social_post.publish_due')
    await expect.poll(async () => (await shop.targetOf(id)).status, { timeout: 15_000 }).toBe('failed')
    expect(await shop.targetOf(id)).toMatchObject({
      error_message: expect.stringMatching(/^The post has no audience for TikTok: a person must choose .*SELF_ONLY\.$/),
    })
    expect(tiktok.posts.length).toBe(before)
    const copy = await shop.post(`/social_posts/${id}/duplicate`)
    await shop.patch(`/social_posts/${copy.id}`, chosen({}))
    await shop.post(`/social_posts/${copy.id}/publish`)
    await shop.settled()
    expect(await shop.targetOf(copy.id)).toMatchObject({ status: 'published' })
  })

  it('posts what its author alone sees until TikTok has audited the app', async () => {
    tiktok.isAudited = false
    const { TIKTOK_AUDITED: _, ...settings } = TIKTOK_SETTINGS
    tiktok.reachedBy(shop, settings)
    expect((await publish({ content: 'For the audit', media: [picture] })).error_message).toBe(
      'TikTok does not offer this account PUBLIC_TO_EVERYONE, only SELF_ONLY until it has audited the app of this service.',
    )
    await shop.sync()
    const { post_options } = await shop.get(`/social_accounts/${shop.account.id}`)
    expect(post_options.privacy_level).toEqual(['SELF_ONLY'])
    const own = chosen({ content: 'For the audit', media: [picture] }, { privacy_level: 'SELF_ONLY' })
    expect(await shop.publish(own)).toMatchObject({ status: 'published' })
    expect(tiktok.posts.at(-1)!.words.privacy_level).toBe('SELF_ONLY')
    tiktok.isAudited = true
    tiktok.reachedBy(shop, TIKTOK_SETTINGS)
    await shop.sync()
  })

  it('takes the switches and the disclosure that a person has chosen', async () => {
    const post = { content: 'Chosen', media: [picture] }
    const own = { privacy_level: 'SELF_ONLY', allow_comments: false, your_brand: true }
    expect(await shop.publish(chosen(post, own))).toMatchObject({ status: 'published' })
    expect(tiktok.posts.at(-1)!.words).toMatchObject({
      ...{ privacy_level: 'SELF_ONLY', disable_comment: true, brand_organic_toggle: true },
    })
    const paid = { privacy_level: 'MUTUAL_FOLLOW_FRIENDS', branded_content: true }
    await shop.publish(chosen({ content: 'Paid', media: [await film()] }, paid))
    expect(tiktok.posts.at(-1)!.words).toMatchObject({
      ...{ disable_comment: true, disable_duet: true, disable_stitch: true, brand_content_toggle: true },
    })
    expect(await shop.errorsFor(chosen(post, { ...paid, privacy_level: 'SELF_ONLY' }))).toEqual([
      'Overrides has branded content, which cannot be private on TikTok',
    ])
  })

  it('reads figures of an account that may not post now, and says so when it does', async () => {
    tiktok.mayNotPost = true
    await shop.sync()
    expect(await shop.get(`/social_accounts/${shop.account.id}`)).toMatchObject({
      ...{ status: 'connected', error_message: null },
    })
    expect(await publish({ content: 'Banned', media: [picture] })).toMatchObject({
      ...{ status: 'failed', error_message: 'The user is banned from posting.' },
    })
    tiktok.mayNotPost = false
  })

  it('holds posts against TikTok’s limits', async () => {
    const [short, png] = [await shop.film(2, 1000), await shop.file()]
    expect(await errorsFor({ content: '😀'.repeat(1101), media: [picture] })).toEqual([
      'Content is too long for TikTok (2202 characters, maximum is 2200)',
    ])
    expect(await errorsFor({ media: [short] })).toEqual([
      'Media has a video that is too short for TikTok (2 seconds, minimum is 3)',
    ])
    expect(await errorsFor({ media: [png] })).toEqual([
      'Media has an image of type image/png; TikTok accepts image/jpeg, image/webp',
    ])
    expect(await errorsFor({ media: [picture, await film()] })).toEqual([
      'Media has images and a video; TikTok accepts either in one post',
    ])
    expect(await errorsFor({ media: [picture], first_comment: 'Below' })).toEqual([
      'First comment cannot be posted on TikTok',
    ])
  })

  it.each([
    ['the answer to the beginning', /^POST .*\/video\/init\/$/, 2],
    ['the answer to a chunk', PUT, 1],
    ['the answer to a look', /^POST .*\/status\/fetch\/$/, 1],
  ])('posts a film once when %s is lost', async (what, lost, begun) => {
    const content = `Once: ${what}`
    tiktok.loses = lost
    const post = await publish({ content, media: [await shop.film(5, 20 * MB)] })
    expect(post.status).toBe('pending')
    const before = uploads()
    expect(await shop.hurry(post.id)).toMatchObject({ status: 'published' })
    const sent = tiktok.posts.filter(({ words }) => words.title === content)
    expect(sent).toHaveLength(begun)
    expect(sent.filter(({ status }) => status === 'PUBLISH_COMPLETE')).toHaveLength(1)
    expect(uploads() - before).toBe({ 2: 2, 1: lost === PUT ? 1 : 0 }[begun])
    expect(shop.running.errors.splice(0)).toHaveLength(1)
  })

  it('asks a person where the answer about pictures was lost, and posts them again only for them', async () => {
    tiktok.loses = /^POST .*\/content\/init\/$/
    const post = await publish({ content: 'Lost pictures', media: [picture] })
    expect(post.status).toBe('pending')
    expect(await shop.hurry(post.id)).toMatchObject({
      ...{ status: 'failed', error_message: expect.stringContaining('See whether they are on the profile') },
    })
    const sent = () => tiktok.posts.filter(({ words }) => words.description === 'Lost pictures')
    expect(sent()).toHaveLength(1)
    expect(await shop.retry(post.id)).toMatchObject({ status: 'published' })
    expect(sent()).toHaveLength(2)
    expect(shop.running.errors.splice(0)).toHaveLength(1)
  })

  it('sends no film to a private address', async () => {
    tiktok.uploadsTo = 'http://169.254.169.254/latest'
    const post = await publish({ content: 'Elsewhere', media: [await film()] })
    tiktok.uploadsTo = null
    expect(post.error_message).toContain('The address for the upload must be a public address')
  })

  it('begins again where the upload ended before the film was complete', async () => {
    tiktok.uploadsOver = true
    const post = await publish({ content: 'Too slow', media: [await film()] })
    expect(post.status).toBe('pending')
    tiktok.uploadsOver = false
    expect(await shop.hurry(post.id)).toMatchObject({ status: 'published' })
    const sent = tiktok.posts.filter(({ words }) => words.title === 'Too slow')
    expect(sent.map(({ status }) => status)).toEqual(['PROCESSING_UPLOAD', 'PUBLISH_COMPLETE'])
    expect(shop.running.errors.splice(0)).toHaveLength(1)
  })

  it('refuses in the words of TikTok, and sends another post when somebody tries again', async () => {
    const words = 'The user has posted too many times within the last 24 hours.'
    tiktok.refusesWith = [403, 'spam_risk_too_many_posts', words]
    const spam = await publish({ content: 'Too many', media: [picture] })
    expect(spam).toMatchObject({ status: 'failed', error_message: words })
    expect(await shop.retry(spam.id)).toMatchObject({ status: 'published' })
    tiktok.endsAs = { status: 'FAILED', reason: 'frame_rate_check_failed' }
    const failed = await publish({ content: 'Slow film', media: [await film()] })
    expect(failed.error_message).toBe('TikTok could not publish the post: frame_rate_check_failed')
    tiktok.endsAs = { status: 'PUBLISH_COMPLETE', reason: null }
    expect(await shop.retry(failed.id)).toMatchObject({ status: 'published' })
  })

  it('waits where TikTok limits the rate', async () => {
    tiktok.refusesWith = [429, 'rate_limit_exceeded', 'The API rate limit was exceeded.']
    const post = await publish({ content: 'A minute later', media: [picture] })
    expect(await shop.waiting()).toMatchObject([{ attempts: 0, last_error: 'The API rate limit was exceeded.' }])
    expect(await shop.hurry(post.id)).toMatchObject({ status: 'published' })
    expect(tiktok.posts.filter(({ words }) => words.description === 'A minute later')).toHaveLength(1)
  })

  it('renews access with a refresh token that works once, expires, and ends the access', async () => {
    const [before] = tiktok.grants
    await shop.renewNext()
    expect(await publish({ content: 'Renewed', media: [picture] })).toMatchObject({ status: 'published' })
    expect(tiktok.grants).not.toContain(before)
    tiktok.grants = []
    await shop.renewNext()
    expect(await publish({ content: 'Late', media: [picture] })).toMatchObject({
      error_message: 'Refresh token is invalid.',
    })
    const { status, connect_url } = await shop.post(`/social_accounts/${shop.account.id}/reconnect`)
    expect(status).toBe('pending')
    const { visitor, address } = await shop.setOut(connect_url)
    await visitor.follow(tiktok.allow(address))
    expect(tiktok.grants).toHaveLength(1)
    await shop.delete(`/social_accounts/${shop.account.id}`)
    await shop.settled()
    expect(tiktok.grants).toHaveLength(0)
  })
})
