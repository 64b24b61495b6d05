import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { META_SETTINGS } from '../../support/meta-login.ts'
import { MetaServer } from '../../support/meta-server.ts'
import type { Body } from '../../support/shop.ts'
import { JPEG, MetaShop, PNG } from './meta-shop.ts'

describe('Instagram', () => {
  const shop = new MetaShop()
  const meta = new MetaServer()
  const { instagram } = meta
  let account: Body
  beforeAll(() => shop.reach(meta, META_SETTINGS))
  afterAll(async () => {
    await shop.close()
    await meta.close()
  })
  const publish = (more: object) => shop.publishOn(account, more)
  const picture = (more: object = {}) => shop.upload('bird.jpg', JPEG, more)

  it('connects the professional account of a page, with the permissions that are needed', async () => {
    const { account: made, visitor, address } = await shop.setOut('instagram')
    expect(new URL(address).searchParams.get('scope')?.split(',')).toEqual([
      ...['instagram_basic', 'instagram_content_publish', 'instagram_manage_comments', 'instagram_manage_insights'],
      ...['pages_show_list', 'pages_read_engagement', 'business_management'],
    ])
    expect((await visitor.follow(meta.login.allow(address))).text).toContain('kestrel.books is connected')
    account = await shop.get(`/social_accounts/${made.id}`)
    expect(account).toMatchObject({
      ...{ status: 'connected', username: 'kestrel.books', display_name: 'Kestrel Books', followers_count: 250 },
      profile_url: 'https://www.instagram.com/kestrel.books/',
    })
  })

  it('says how to get an account that can be connected', async () => {
    const { user } = instagram
    Object.assign(instagram, { user: undefined })
    const { visitor, address } = await shop.setOut('instagram')
    const page = await visitor.follow(meta.login.allow(address))
    expect(page.text).toContain('None of your Facebook pages has an Instagram professional account.')
    Object.assign(instagram, { user })
  })

  it('fetches a picture from the address of the file, and publishes it with a first comment', async () => {
    const file = await picture({ alternative_text: 'A kestrel' })
    const target = await publish({ content: 'Back in stock', media: [file], first_comment: 'Ask us anything' })
    const [medium] = instagram.media
    expect(target).toMatchObject({
      ...{ status: 'published', platform_post_id: medium!.id },
      platform_url: `https://www.instagram.com/p/${medium!.id}/`,
    })
    expect(medium!.container.form).toEqual({
      ...{ caption: 'Back in stock', alt_text: 'A kestrel' },
      image_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/files\/.+\/bird\.jpg$/),
    })
    expect(instagram.containers.fetched).toEqual([{ type: 'image/jpeg', bytes: JPEG.length }])
    const comment = instagram.say(medium!.id, 'When?')
    instagram.say(comment, 'Next week, I heard', 'ole')
    await shop.sync(account)
    expect(await shop.commentSaying('Next week, I heard')).toMatchObject({
      ...{ author_username: 'ole', parent: (await shop.commentSaying('When?')).id },
    })
    expect(await shop.figuresOf(target.post)).toMatchObject([
      { impressions: 500, reach: 300, likes: 9, comments: 2, shares: 6, saves: 8, clicks: 0 },
    ])
    const { metrics } = await shop.get(`/social_accounts/${account.id}/analytics`)
    expect(metrics).toMatchObject({ reach: 70, followers: 250, followers_gained: 4 })
  })

  it('keeps the followers of earlier days, which Instagram does not say', async () => {
    const ofAccount = () => shop.figuresOf('')
    const [today] = await ofAccount()
    expect(today).toMatchObject({ followers: 250, followers_known: 1, reach: 70 })
    Object.assign(instagram.user, { followers_count: 260 })
    await shop.sync(account)
    expect(await ofAccount()).toMatchObject([{ date: today!.date, followers: 260, followers_known: 1, reach: 70 }])
  })

  it('publishes a film as a reel, and pictures and films as a carousel', async () => {
    const film = await shop.film('bird.mp4', 3_000)
    expect(await publish({ content: 'A film', media: [film] })).toMatchObject({ status: 'published' })
    expect(instagram.media[0]!.container.form).toMatchObject({ media_type: 'REELS', share_to_feed: 'true' })
    const media = [await picture({ alternative_text: 'First' }), film, await picture()]
    expect(await publish({ content: 'Three', media })).toMatchObject({ status: 'published' })
    const carousel = instagram.media[0]!.container
    expect(carousel.form).toMatchObject({ media_type: 'CAROUSEL', caption: 'Three' })
    const items = carousel.children.map((id) => instagram.containers.find(id)!.form)
    expect(items.map(({ media_type, alt_text }) => [media_type, alt_text])).toEqual([
      [undefined, 'First'],
      ['VIDEO', undefined],
      [undefined, undefined],
    ])
  })

  it('fetches a file that is for buyers alone while the post is published, and not after that', async () => {
    const file = await picture()
    await shop.set('files', file, { in_experience: 1 })
    await shop.experience({ content: JSON.stringify({ files: [file] }) })
    expect(await publish({ content: 'A look inside', media: [file] })).toMatchObject({ status: 'published' })
    const { image_url } = instagram.media[0]!.container.form
    expect((await fetch(image_url!)).status).toBe(404)
  })

  it('publishes once when the answer is lost', async () => {
    const before = instagram.media.length
    meta.loses = /media_publish$/
    const lost = await publish({ content: 'Lost', media: [await picture()], first_comment: 'Below' })
    expect([lost.status, instagram.media.length]).toEqual(['pending', before + 1])
    const containers = instagram.containers.all.length
    const found = await shop.tryAgain(lost.post)
    expect(found).toMatchObject({ status: 'published', platform_post_id: instagram.media[0]!.id })
    expect([instagram.media.length, instagram.containers.all.length]).toEqual([before + 1, containers])
    expect(instagram.comments.filter(({ text }) => text === 'Below')).toHaveLength(1)
    expect(shop.running.errors.splice(0)).toHaveLength(1)
  })

  it('publishes the container that it has made when the request was lost, and a new one where that has expired', async () => {
    for (const isExpired of [false, true]) {
      const before = { media: instagram.media.length, containers: instagram.containers.all.length }
      meta.fails = { route: /media_publish$/, answer: [503, { error: { message: 'Busy', code: 2 } }] }
      const lost = await publish({ content: `Not heard ${isExpired}`, media: [await picture()] })
      expect(lost.status).toBe('pending')
      meta.fails = null
      if (isExpired) instagram.containers.all.at(-1)!.state = 'EXPIRED'
      expect(await shop.tryAgain(lost.post)).toMatchObject({ status: 'published' })
      expect(instagram.media).toHaveLength(before.media + 1)
      expect(instagram.containers.all).toHaveLength(before.containers + (isExpired ? 2 : 1))
      expect(shop.running.errors.splice(0)).toHaveLength(1)
    }
  })

  it('says in the words of Instagram what it cannot use, and makes another container on a retry', async () => {
    const file = await picture()
    await shop.set('files', file, { detected_type: 'image/png' })
    const failed = await publish({ content: 'Wrong', media: [file] })
    expect(failed).toMatchObject({ status: 'failed', error_message: 'Error: Only image/jpeg can be used.' })
    await shop.set('files', file, { detected_type: 'image/jpeg' })
    await shop.post(`/social_posts/${failed.post}/retry`)
    await shop.settled()
    expect(await shop.targetOf(failed.post)).toMatchObject({ status: 'published' })
  })

  it('waits when all posts of a day were published', async () => {
    instagram.quota = { used: 50, total: 50 }
    const post = await publish({ content: 'The 51st', media: [await picture()] })
    const [job] = await shop.waitingJobs()
    expect(job).toMatchObject({
      attempts: 0,
      last_error: 'The network allows 50 posts by apps in 24 hours, and all of them were published.',
    })
    instagram.quota.used = 3
    expect(await shop.tryAgain(post.post)).toMatchObject({ status: 'published' })
  })

  it('answers, hides and deletes comments, and likes none', async () => {
    const theirs = await shop.commentSaying('When?')
    const at = () => instagram.comments.find(({ id }) => id === theirs.platform_comment_id)!
    await shop.post(`/social_comments/${theirs.id}/hide`)
    expect(at().hidden).toBe(true)
    await shop.post(`/social_comments/${theirs.id}/unhide`)
    expect(at().hidden).toBe(false)
    const reply = await shop.post(`/social_comments/${theirs.id}/reply`, { content: 'On Friday' })
    const said = () => instagram.comments.filter(({ text }) => text === 'On Friday')
    expect(said()).toMatchObject([{ to: theirs.platform_comment_id, username: 'kestrel.books' }])
    await shop.delete(`/social_comments/${reply.id}`)
    await shop.settled()
    expect(said()).toEqual([])
    expect(theirs.allowed_actions ?? []).not.toContain('like')
  })

  it('is checked before: types, sizes, numbers and words', async () => {
    const check = async (more: object) =>
      (await shop.post('/social_posts/validate', { social_accounts: [account.id], ...more })).results[0].errors
    expect(await check({ content: 'Words alone' })).toEqual(['Media must have an image or a video for Instagram'])
    const png = await shop.upload('bird.png', PNG)
    expect(await check({ media: [png] })).toEqual([
      'Media has an image of type image/png; Instagram accepts image/jpeg',
    ])
    const large = await shop.file({ content_type: 'image/jpeg', size: 8_000_001 })
    expect(await check({ media: [large] })).toEqual([expect.stringContaining('too large for Instagram')])
    const jpeg = { content_type: 'image/jpeg', size: 1_000 }
    const many = await Promise.all(Array.from({ length: 11 }, () => shop.file(jpeg)))
    expect(await check({ media: many })).toEqual(['Media has too many images for Instagram (11, maximum is 10)'])
    const film = await shop.file({ content_type: 'video/mp4', size: 1_000, duration_ms: 3_000 })
    expect(await check({ media: [...many.slice(0, 10), film] })).toEqual([
      'Media has too many images and videos for Instagram (11, maximum is 10)',
    ])
    const file = await picture()
    expect(await check({ media: [file], content: 'x'.repeat(2_201) })).toEqual([
      'Content is too long for Instagram (2201 characters, maximum is 2200)',
    ])
    expect(await check({ media: [file], first_comment: 'y'.repeat(301) })).toEqual([
      'First comment is too long for Instagram (301 characters, maximum is 300)',
    ])
    expect(await check({ media: [file], content: '#a '.repeat(31) })).toEqual([
      'Content has too many hashtags for Instagram (31, maximum is 30)',
    ])
    expect(await check({ media: [file], content: '@a '.repeat(21) })).toEqual([
      'Content has too many mentions for Instagram (21, maximum is 20)',
    ])
  })
})
