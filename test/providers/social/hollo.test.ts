import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type MastodonServer, startMastodon } from '../../support/mastodon-server.ts'
import type { Body } from '../../support/shop.ts'
import { NetworkShop, PNG } from './network-shop.ts'

/** Hollo comes as an image or as its source to build, not as a package, so its stand-in is made from that source. */
describe('Mastodon, on a stand-in of Hollo', () => {
  const shop = new NetworkShop()
  let instance: MastodonServer
  beforeAll(async () => {
    instance = await startMastodon()
    Object.assign(instance, { isHollo: true, domain: 'kestrel.example' })
    await shop.open('sqlite', { SIMULATED_PROVIDERS: 'false', OUTSIDE_ALLOW_LOOPBACK: 'true' })
    shop.account = await shop.post('/social_accounts', {
      platform: 'mastodon',
      credentials: { instance: instance.url, access_token: instance.token },
    })
  })
  afterEach(() => {
    instance.gone.clear()
    instance.goneAs = 404
  })
  afterAll(async () => {
    await shop.close()
    await instance.close()
  })

  const messageOf = async () => (await shop.get(`/social_accounts/${shop.account.id}`)).error_message

  it('is named by the domain of its handles, and not by that of its pages', () => {
    expect(shop.account).toMatchObject({ status: 'connected', username: 'kestrel@kestrel.example' })
    expect(shop.account.profile_url).toBe(`${instance.url}/@kestrel`)
  })

  it('publishes a picture that is ready at once, and a first comment', async () => {
    const picture = await shop.uploaded('bird.png', PNG)
    const post = await shop.publish({ content: 'x'.repeat(9000), media: [picture], first_comment: 'Below' })
    expect(post).toMatchObject({ status: 'published', platform_post_id: expect.stringMatching(/^[0-9a-f]{8}-/) })
    const [comment, status] = instance.statuses
    expect(status).toMatchObject({ id: post.platform_post_id, media_attachments: [{ id: 'm0' }] })
    expect(comment).toMatchObject({ in_reply_to_id: status!.id })
    expect(instance.media[0]!.looks).toBe(0)
  })

  it('is held to its own limits, which it does not hold anybody to itself', async () => {
    const check = async (content: string, media: string[] = []) =>
      (await shop.post('/social_posts/validate', { content, media, social_accounts: [shop.account.id] })).results[0]
    expect(await check('x'.repeat(10_001))).toMatchObject({
      ...{ max_characters: 10_000, errors: ['Content is too long for Mastodon (10001 characters, maximum is 10000)'] },
    })
    expect((await check('https://kestrel.example')).characters).toBe(256)
    const pictures = await Promise.all(Array.from({ length: 9 }, () => shop.file()))
    expect((await check('', pictures.slice(1))).valid).toBe(true)
    expect((await check('', pictures)).errors).toEqual(['Media has too many images for Mastodon (9, maximum is 8)'])
    expect((await check('', [await shop.file({ size: 33_554_433 })])).errors).toEqual([
      expect.stringMatching(/^Media has an image that is too large for Mastodon/),
    ])
    expect((await check('', [await shop.file({ width: 4097, height: 4096 })])).errors).toEqual([
      expect.stringMatching(/^Media has an image with too many pixels for Mastodon/),
    ])
    expect((await check('', [await shop.file({ content_type: 'image/avif' })])).errors).toEqual([
      expect.stringContaining('has an image of type image/avif; Mastodon accepts'),
    ])
  })

  it.each([404, 410])('reads the other posts where one was deleted, for which it says %s', async (goneAs) => {
    const [kept, deleted] = [
      await shop.publish({ content: `Kept ${goneAs}` }),
      await shop.publish({ content: `Gone ${goneAs}` }),
    ]
    instance.goneAs = goneAs
    instance.gone.add(deleted.platform_post_id)
    await shop.sync()
    expect(await messageOf()).toBeNull()
    const likesOf = async ({ id }: Body) => (await shop.get(`/social_posts/${id}/analytics`)).metrics.likes
    expect([await likesOf(kept), await likesOf(deleted)]).toEqual([3, 0])
  })

  it('says so where the comment of a reply is gone, although the server only fails', async () => {
    const post = await shop.publish({ content: 'Questions?', first_comment: 'Ask here' })
    await shop.sync()
    const [comment] = (await shop.get(`/social_comments?social_post=${post.id}`)).data
    instance.gone.add(comment.platform_comment_id)
    const reply = await shop.post(`/social_comments/${comment.id}/reply`, { content: 'To nobody' })
    await shop.runWaiting('lane', 'outside')
    await expect
      .poll(messageOf, { timeout: 15_000 })
      .toBe('A reply was not sent: the comment that it answers is no longer on the server.')
    expect((await shop.api('GET', `/social_comments/${reply.id}`)).status).toBe(404)
    expect(shop.running.errors.splice(0)).toHaveLength(1)
  })
})
