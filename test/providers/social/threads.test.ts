import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Body } from '../../support/shop.ts'
import { THREADS_SETTINGS } from '../../support/threads-login.ts'
import { ThreadsServer } from '../../support/threads-server.ts'
import { JPEG, MetaShop, PNG } from './meta-shop.ts'

const DAY_MS = 24 * 60 * 60 * 1000

describe('Threads', () => {
  const shop = new MetaShop()
  const threads = new ThreadsServer()
  let account: Body
  beforeAll(() => shop.reach(threads, THREADS_SETTINGS))
  afterAll(async () => {
    await shop.close()
    await threads.close()
  })
  const publish = (more: object) => shop.publishOn(account, more)
  const stored = async () => {
    const rows = shop.db.selectFrom('social_accounts').selectAll().where('id', '=', account.id)
    return rows.executeTakeFirstOrThrow()
  }

  it('connects with a token for 60 days, to be renewed halfway', async () => {
    const { account: made, visitor, address } = await shop.setOut('threads')
    expect(new URL(address).searchParams.get('scope')?.split(',')).toEqual([
      ...['threads_basic', 'threads_content_publish', 'threads_manage_replies', 'threads_read_replies'],
      ...['threads_manage_insights', 'threads_delete'],
    ])
    expect((await visitor.follow(threads.login.allow(address))).text).toContain('kestrel.books is connected')
    account = await shop.get(`/social_accounts/${made.id}`)
    expect(account).toMatchObject({
      ...{ status: 'connected', username: 'kestrel.books', display_name: 'Kestrel Books', followers_count: 77 },
      profile_url: 'https://www.threads.com/@kestrel.books',
    })
    const days = (Date.parse((await stored()).renew_at!) - Date.now()) / DAY_MS
    expect(Math.round(days)).toBe(30)
  })

  it('publishes words with a link and a first comment, and brings figures and answers back', async () => {
    const link_url = 'https://kestrel.example/shop'
    const target = await publish({ content: 'Back in stock', link_url, first_comment: 'Ask us anything' })
    const post = threads.posts.find(({ id }) => id === target.platform_post_id)!
    expect(target).toMatchObject({
      ...{ status: 'published', platform_url: `https://www.threads.com/@kestrel.books/post/${post.id}` },
    })
    expect(post.container!.form).toEqual({
      ...{ media_type: 'TEXT', text: `Back in stock\n${link_url}`, link_attachment: link_url },
    })
    expect(threads.posts.find(({ to }) => to === post.id)).toMatchObject({ text: 'Ask us anything' })
    const answer = threads.reply(post.id, 'When?')
    threads.reply(answer, 'Next week, I heard', 'ole')
    expect(await shop.sync(account)).toMatchObject({ status: 'connected', error_message: null })
    expect(await shop.commentSaying('Next week, I heard')).toMatchObject({
      ...{ author_username: 'ole', parent: (await shop.commentSaying('When?')).id },
    })
    expect(await shop.figuresOf(target.post)).toMatchObject([
      { impressions: 400, likes: 11, comments: 2, shares: 9, reach: 0, saves: 0, clicks: 0 },
    ])
    const { metrics } = await shop.get(`/social_accounts/${account.id}/analytics`)
    expect(metrics).toMatchObject({ impressions: 90, followers: 77, followers_gained: 0 })
  })

  it('publishes a picture, and a carousel of pictures and a film', async () => {
    const png = await shop.upload('bird.png', PNG, { alternative_text: 'A kestrel' })
    expect(await publish({ content: 'One', media: [png] })).toMatchObject({ status: 'published' })
    expect(threads.posts[0]!.container!.form).toMatchObject({ media_type: 'IMAGE', text: 'One', alt_text: 'A kestrel' })
    const media = [png, await shop.film('bird.mp4', 3_000), await shop.upload('b.jpg', JPEG)]
    expect(await publish({ content: 'Three https://kestrel.example', media })).toMatchObject({ status: 'published' })
    const { form, children } = threads.posts[0]!.container!
    expect(form).toMatchObject({ media_type: 'CAROUSEL', text: 'Three https://kestrel.example' })
    expect(children.map((id) => threads.containers.find(id)!.form.media_type)).toEqual(['IMAGE', 'VIDEO', 'IMAGE'])
    expect(threads.containers.fetched.map(({ type }) => type).toSorted()).toEqual([
      ...['image/jpeg', 'image/png', 'image/png', 'video/mp4'],
    ])
  })

  it.each(['the post', 'its comment'])('publishes once when the answer to %s is lost', async (what) => {
    const before = threads.posts.length
    threads.losesAt = what === 'the post' ? 1 : 2
    const lost = await publish({ content: `Lost with ${what}`, first_comment: `Below ${what}` })
    expect(lost.status).toBe('pending')
    const found = await shop.tryAgain(lost.post)
    expect(found).toMatchObject({ status: 'published' })
    expect(threads.posts).toHaveLength(before + 2)
    const comment = threads.posts.find(({ text }) => text === `Below ${what}`)
    expect(comment?.to).toBe(found.platform_post_id)
    expect(shop.running.errors.splice(0)).toHaveLength(1)
  })

  it('keeps a post whose first comment is refused', async () => {
    threads.refusesReplies = true
    const target = await publish({ content: 'Alone', first_comment: 'Nobody hears this' })
    expect(target).toMatchObject({ status: 'published', error_message: null })
    threads.refusesReplies = false
    expect(await shop.commentSaying('Nobody hears this')).toBeUndefined()
  })

  it('waits when all posts of a day were published', async () => {
    threads.quota = { used: 250, total: 250 }
    const post = await publish({ content: 'The 251st' })
    expect((await shop.waitingJobs())[0]).toMatchObject({ attempts: 0 })
    threads.quota.used = 0
    expect(await shop.tryAgain(post.post)).toMatchObject({ status: 'published' })
  })

  it('answers once, hides, and deletes its own answers', async () => {
    const theirs = await shop.commentSaying('When?')
    const at = () => threads.posts.find(({ id }) => id === theirs.platform_comment_id)!
    await shop.post(`/social_comments/${theirs.id}/hide`)
    expect(at().hidden).toBe(true)
    await shop.post(`/social_comments/${theirs.id}/unhide`)
    expect(at().hidden).toBe(false)
    threads.losesAt = 1
    const reply = await shop.post(`/social_comments/${theirs.id}/reply`, { content: 'On Friday' })
    await expect.poll(async () => (await shop.waitingJobs()).length).toBe(1)
    await shop.hurry()
    const said = () => threads.posts.filter(({ text }) => text === 'On Friday')
    const idOf = async () => (await shop.get(`/social_comments/${reply.id}`)).platform_comment_id
    await expect.poll(idOf, { timeout: 10_000 }).toBe(said()[0]!.id)
    expect(said()).toMatchObject([{ to: theirs.platform_comment_id }])
    await shop.delete(`/social_comments/${reply.id}`)
    await shop.settled()
    expect(said()).toEqual([])
    expect(shop.running.errors.splice(0)).toHaveLength(1)
  })

  it('counts emoji as their bytes, and allows five links', async () => {
    const check = async (content: string) =>
      (await shop.post('/social_posts/validate', { social_accounts: [account.id], content })).results[0]
    expect(await check(`${'é'.repeat(496)}🐦`)).toMatchObject({ valid: true, characters: 500 })
    expect((await check(`${'é'.repeat(497)}🐦`)).errors).toEqual([
      'Content is too long for Threads (501 characters, maximum is 500)',
    ])
    const links = [1, 2, 3, 4, 5, 6].map((one) => `https://kestrel.example/${one}`).join(' ')
    expect((await check(links)).errors).toEqual(['Content has too many links for Threads (6, maximum is 5)'])
    expect((await check(links.replace('/6', '/5'))).errors).toEqual([])
  })

  it('renews its token, and expires where Threads refuses', async () => {
    const due = () => shop.set('social_accounts', account.id, { renew_at: '2026-01-01T00:00:00.000Z' })
    threads.login.age(30)
    const before = [...threads.login.tokens.keys()].at(-1)!
    await due()
    expect(await publish({ content: 'Renewed' })).toMatchObject({ status: 'published' })
    expect([...threads.login.tokens.keys()]).not.toContain(before)
    expect(Math.round((Date.parse((await stored()).renew_at!) - Date.now()) / DAY_MS)).toBe(30)
    threads.login.tokens.clear()
    await due()
    const words = 'Invalid OAuth access token - Cannot parse access token'
    expect(await publish({ content: 'Too late' })).toMatchObject({ status: 'failed', error_message: words })
    expect(await shop.get(`/social_accounts/${account.id}`)).toMatchObject({ status: 'expired', error_message: words })
  })
})
