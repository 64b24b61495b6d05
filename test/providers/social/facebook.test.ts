import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refused } from '../../support/graph-answers.ts'
import { META_SETTINGS } from '../../support/meta-login.ts'
import { MetaServer } from '../../support/meta-server.ts'
import type { Body } from '../../support/shop.ts'
import { MetaShop, PNG } from './meta-shop.ts'

describe('Facebook pages', () => {
  const shop = new MetaShop()
  const meta = new MetaServer()
  let account: Body
  beforeAll(() => shop.reach(meta, META_SETTINGS))
  afterAll(async () => {
    await shop.close()
    await meta.close()
  })
  const publish = (more: object) => shop.publishOn(account, more)

  it('need both settings, which the refusal names', async () => {
    meta.reachedBy(shop, { META_APP_ID: '1' })
    const errors = await shop.refusal('POST', '/social_accounts', { platform: 'facebook' })
    expect(errors.platform[0]).toContain('is not set up on this service. Ask whoever runs it')
    meta.reachedBy(shop, META_SETTINGS)
  })

  it('are not connected where the person says no, or takes a permission away', async () => {
    const first = await shop.setOut('facebook')
    expect((await first.visitor.follow(meta.login.deny(first.address))).text).toContain('Access was not allowed.')
    meta.login.refusedScopes = ['pages_manage_posts']
    const second = await shop.setOut('facebook')
    const page = await second.visitor.follow(meta.login.allow(second.address))
    expect(page.text).toContain('Access was allowed without pages_manage_posts. Allow all of it.')
    meta.login.refusedScopes = []
  })

  it('are chosen from those that the person may post to, and act by a token of the page', async () => {
    const { account: made, visitor, address } = await shop.setOut('facebook')
    expect(new URL(address).searchParams.get('scope')?.split(',')).toEqual([
      ...['pages_show_list', 'pages_read_engagement', 'pages_read_user_content', 'pages_manage_posts'],
      ...['pages_manage_engagement', 'read_insights', 'business_management'],
    ])
    const choice = await visitor.follow(meta.login.allow(address))
    expect(choice.text).toContain('Kestrel Books')
    expect(choice.text).toContain('Bird Club')
    expect(choice.text).not.toContain('Read only')
    await visitor.press(choice, 'choose', { choice: '0' })
    await shop.settled()
    account = await shop.get(`/social_accounts/${made.id}`)
    expect(account).toMatchObject({
      ...{ status: 'connected', username: 'kestrelbooks', display_name: 'Kestrel Books', followers_count: 40 },
    })
    const stored = await shop.db.selectFrom('social_accounts').selectAll().where('id', '=', made.id).execute()
    expect(JSON.stringify(stored)).not.toContain('page-token')
  })

  it('publish words with the link of a post and a first comment, and bring figures and comments back', async () => {
    const link_url = 'https://kestrel.example/shop'
    const target = await publish({ content: 'Back in stock', link_url, first_comment: 'Ask us anything' })
    const [post] = meta.posts
    expect(target).toMatchObject({
      ...{ status: 'published', platform_post_id: post!.id, platform_url: `https://www.facebook.com/${post!.id}` },
    })
    expect(post).toMatchObject({ message: `Back in stock\n${link_url}`, link: link_url, photos: [] })
    expect(meta.comments).toMatchObject([{ to: post!.id, message: 'Ask us anything', from: { id: '101' } }])
    const comment = meta.say(post!.id, 'When?')
    meta.say(comment, 'Next week, I heard')
    expect(await shop.sync(account)).toMatchObject({ status: 'connected', error_message: null })
    const answer = await shop.commentSaying('Next week, I heard')
    expect(answer).toMatchObject({ author_name: 'Mara Lind', parent: (await shop.commentSaying('When?')).id })
    expect(await shop.figuresOf(target.post)).toMatchObject([
      { impressions: 100, reach: 60, clicks: 7, likes: 5, comments: 3, shares: 2, saves: 0 },
    ])
    const { metrics } = await shop.get(`/social_accounts/${account.id}/analytics`)
    expect(metrics).toMatchObject({ impressions: 300, reach: 200, followers: 40, followers_gained: 3 })
  })

  it('have no figures where Facebook gives none, but followers', async () => {
    meta.hasInsights = false
    expect(await shop.sync(account)).toMatchObject({ error_message: null, followers_count: 40 })
    meta.hasInsights = true
  })

  it('leave the reading of posts to another day where the limits are almost used up', async () => {
    const asked = () => meta.asked.filter((one) => /GET graph\.facebook\.com\/v25\.0\/101_/.test(one)).length
    const before = asked()
    meta.usage = { 'x-app-usage': JSON.stringify({ call_count: 91, total_time: 3, total_cputime: 2 }) }
    expect(await shop.sync(account)).toMatchObject({ status: 'connected', error_message: null })
    expect(asked()).toBe(before)
    meta.usage = {}
  })

  it('publish several photos in one post, with their descriptions', async () => {
    const photos = [await shop.upload('a.png', PNG, { alternative_text: 'A kestrel' }), await shop.upload('b.png', PNG)]
    expect(await publish({ content: 'Two', media: photos })).toMatchObject({ status: 'published' })
    expect(meta.photos.map(({ alt, bytes }) => [alt, bytes])).toEqual([
      ['A kestrel', PNG.length],
      [undefined, PNG.length],
    ])
    expect(meta.posts[0]).toMatchObject({ message: 'Two', photos: meta.photos.map(({ id }) => id), link: undefined })
  })

  it('send a video in the parts that Facebook asks for, and say published when Facebook does', async () => {
    const film = await shop.film('bird.mp4', 2_500)
    expect(await publish({ content: 'A film', media: [film] })).toMatchObject({
      ...{ status: 'published', platform_post_id: '101_880' },
    })
    expect(meta.videos.all).toMatchObject([{ size: 2_500, bytes: 2_500, description: 'A film', looks: 2 }])
    meta.videos.ends = 'error'
    expect(await publish({ content: 'No film', media: [film] })).toMatchObject({
      ...{ status: 'failed', error_message: 'The video has no picture.' },
    })
    meta.videos.ends = 'ready'
  })

  it.each([
    ['words', 'Only words', async () => []],
    ['photos without words', '', async () => [await shop.upload('c.png', PNG)]],
  ])('post %s once when the answer is lost', async (_, content, files) => {
    const before = { posts: meta.posts.length, photos: meta.photos.length }
    const media = await files()
    meta.loses = /^POST graph\.facebook\.com\/v25\.0\/101\/feed$/
    const lost = await publish({ content, media, first_comment: 'Below' })
    expect([lost.status, meta.posts.length]).toEqual(['pending', before.posts + 1])
    const found = await shop.tryAgain(lost.post)
    expect(found).toMatchObject({ status: 'published', platform_post_id: meta.posts[0]!.id })
    expect(meta.posts).toHaveLength(before.posts + 1)
    expect(meta.photos).toHaveLength(before.photos + media.length)
    expect(meta.comments.filter(({ to }) => to === found.platform_post_id)).toHaveLength(1)
    expect(shop.running.errors.splice(0)).toHaveLength(1)
  })

  it.each([
    ['the post is there', 1],
    ['Facebook has not heard of it', 0],
  ])('publish a video once when the answer to its end is lost (%s)', async (_, arrives) => {
    const before = meta.posts.length
    const film = await shop.film('lost.mp4', 1_500)
    meta.loses = /^POST graph-video\.facebook\.com\/v25\.0\/101\/videos$/
    // The first answers are those to the start and the parts: only the last one is lost.
    const losing = meta.loses
    meta.loses = null
    const done = watchFinish(meta, losing, arrives === 0)
    const lost = await publish({ content: `Film ${arrives}`, media: [film] })
    done()
    expect(lost.status).toBe('pending')
    expect(await shop.tryAgain(lost.post)).toMatchObject({ status: 'published' })
    expect(meta.videos.all.filter(({ description }) => description === `Film ${arrives}`)).toHaveLength(1)
    expect(meta.posts).toHaveLength(before + 1)
    expect(shop.running.errors.splice(0)).toHaveLength(1)
  })

  it('answer once, like, hide and delete comments', async () => {
    const theirs = await shop.commentSaying('When?')
    const at = () => meta.comments.find(({ id }) => id === theirs.platform_comment_id)!
    await shop.post(`/social_comments/${theirs.id}/like`)
    await shop.post(`/social_comments/${theirs.id}/hide`)
    expect(at()).toMatchObject({ liked: true, hidden: true })
    await shop.post(`/social_comments/${theirs.id}/unlike`)
    await shop.post(`/social_comments/${theirs.id}/unhide`)
    expect(at()).toMatchObject({ liked: false, hidden: false })
    meta.loses = /^POST graph\.facebook\.com\/v25\.0\/[\d_]+\/comments$/
    const reply = await shop.post(`/social_comments/${theirs.id}/reply`, { content: 'On Friday' })
    const said = () => meta.comments.filter(({ message }) => message === 'On Friday')
    await expect.poll(async () => (await shop.waitingJobs()).length).toBe(1)
    await shop.hurry()
    await expect
      .poll(async () => (await shop.get(`/social_comments/${reply.id}`)).platform_comment_id)
      .toBe(said()[0]!.id)
    expect(said()).toHaveLength(1)
    await shop.delete(`/social_comments/${reply.id}`)
    await shop.settled()
    expect(said()).toEqual([])
    expect(shop.running.errors.splice(0)).toHaveLength(1)
  })

  it('refuse in the words of Facebook, and expire with their token', async () => {
    const error_user_msg = 'We limit how often you can post, comment or do other things in a given amount of time.'
    meta.fails = { route: /^POST \/101\/feed$/, answer: refused('(#368) Blocked', 368, { error_user_msg }) }
    expect(await publish({ content: 'Blocked' })).toMatchObject({ status: 'failed', error_message: error_user_msg })
    meta.fails = null
    const kept = [...meta.login.grants]
    meta.login.grants.clear()
    const words = 'Error validating access token: Session has expired on Tuesday, 24-Nov-26 10:00:00 PST.'
    expect(await publish({ content: 'Too late' })).toMatchObject({ status: 'failed', error_message: words })
    expect(await shop.get(`/social_accounts/${account.id}`)).toMatchObject({ status: 'expired', error_message: words })
    for (const [token, grant] of kept) meta.login.grants.set(token, grant)
    await shop.set('social_accounts', account.id, { status: 'connected' })
  })

  it.each([
    [
      'a business',
      80_001,
      {
        'x-business-use-case-usage': JSON.stringify({
          101: [{ call_count: 100, estimated_time_to_regain_access: 23 }],
        }),
      },
      23,
    ],
    ['an app', 4, { 'x-app-usage': JSON.stringify({ call_count: 101, total_time: 3, total_cputime: 2 }) }, 10],
  ])('wait as long as Facebook says of %s', async (_, code, usage, minutes) => {
    meta.fails = { route: /^POST \/101\/feed$/, answer: refused(`(#${code}) Limit reached`, code) }
    meta.usage = usage as Record<string, string>
    const post = await publish({ content: `Later ${code}` })
    expect(post.status).toBe('pending')
    const [job] = await shop.waitingJobs()
    expect(job).toMatchObject({ attempts: 0, last_error: `(#${code}) Limit reached` })
    expect(Math.abs(Date.parse(job!.run_at) - Date.now() - minutes * 60_000)).toBeLessThan(20_000)
    Object.assign(meta, { fails: null, usage: {} })
    expect(await shop.tryAgain(post.post)).toMatchObject({ status: 'published' })
  })

  it('try again where Facebook has a fault of its own', async () => {
    const fault = refused(
      'An unexpected error has occurred. Please retry your request later.',
      2,
      { is_transient: true },
      500,
    )
    meta.fails = { route: /^POST \/101\/feed$/, answer: fault }
    const post = await publish({ content: 'A fault' })
    expect(post.status).toBe('pending')
    meta.fails = null
    expect(await shop.tryAgain(post.post)).toMatchObject({ status: 'published' })
    expect(meta.posts.filter(({ message }) => message === 'A fault')).toHaveLength(1)
    expect(shop.running.errors.splice(0)).toHaveLength(1)
  })
})

/** Loses the answer to the end of an upload; where it does not arrive, the video does not hear of it either. */
function watchFinish(meta: MetaServer, route: RegExp, isUnheard: boolean): () => void {
  meta.videos.onFinish = () => {
    meta.videos.onFinish = null
    meta.loses = route
    return !isUnheard
  }
  return () => {
    meta.videos.onFinish = null
  }
}
