import { beforeAll, describe, expect, it } from 'vitest'
import { onGateEngine } from '../support/shop.ts'
import { connected, inDays } from '../support/social.ts'

describe('A social post, by what networks take,', () => {
  onGateEngine((shop) => {
    const on: Record<string, string> = {}
    const body = (account: string) => ({ social_accounts: [account], content: 'Hello' })
    beforeAll(async () => {
      for (const platform of ['x', 'instagram', 'youtube', 'pinterest'])
        on[platform] = (await connected(shop, { platform })).id
    })

    it('is held to the limits of each platform after its overrides, all at once', async () => {
      const image = await shop.file({ content_type: 'image/jpeg' })
      const video = await shop.file({ content_type: 'video/mp4' })
      const document = await shop.file({ content_type: 'application/pdf' })
      const wrong = {
        ...{ social_accounts: [on.x, on.instagram, on.youtube, on.pinterest], content: 'x'.repeat(300) },
        ...{ media: [image, document], first_comment: 'First', publish_now: true },
      }
      expect(await shop.refusal('POST', '/social_posts', wrong)).toEqual({
        content: ['is too long for X (300 characters, maximum is 280)'],
        // The first three of six are shown.
        media: [
          'must be image and video files; X accepts nothing else',
          'must be image and video files; Instagram accepts nothing else',
          'must be image and video files; YouTube accepts nothing else',
        ],
        first_comment: ['cannot be posted on Pinterest'],
      })
      const overrides = { x: { content: 'Short' }, youtube: { media: [video] } }
      const right = { ...wrong, first_comment: null, media: [image], overrides }
      const post = await shop.post('/social_posts', right)
      expect([post.status, post.overrides]).toEqual(['published', overrides])
    })

    it('is held to what each network says of GIFs, types and comments', async () => {
      const accounts = { x: on.x, linkedin: (await connected(shop, { platform: 'linkedin' })).id }
      const errorsOn = async (platform: keyof typeof accounts, more: object) =>
        (await shop.post('/social_posts/validate', { ...body(accounts[platform]!), ...more })).results[0].errors
      const gif = await shop.file({ content_type: 'image/gif', size: 15_000_000 })
      const picture = await shop.file()
      const webp = await shop.file({ content_type: 'image/webp' })
      const film = await shop.file({ content_type: 'video/webm' })
      expect(await errorsOn('x', { media: [gif] })).toEqual([])
      expect(await errorsOn('x', { media: [gif, picture] })).toEqual([
        'Media has a GIF and other files; X accepts a GIF alone',
      ])
      expect(await errorsOn('x', { media: [webp] })).toEqual([])
      expect(await errorsOn('linkedin', { media: [webp, gif, picture] })).toEqual([
        'Media has an image of type image/webp; LinkedIn accepts image/jpeg, image/png, image/gif',
      ])
      expect(await errorsOn('x', { media: [film] })).toEqual([
        'Media has a video of type video/webm; X accepts video/mp4, video/quicktime',
      ])
      expect(await errorsOn('linkedin', { first_comment: 'x'.repeat(1251) })).toEqual([
        'First comment is too long for LinkedIn (1251 characters, maximum is 1250)',
      ])
    })

    it('counts its link, unless its words hold it already', async () => {
      const link_url = 'https://shop.example/spring'
      const characters = async (content: string) =>
        (await shop.post('/social_posts/validate', { ...body(on.x!), content, link_url })).results[0].characters
      expect(await characters('Hello')).toBe(5 + 1 + link_url.length)
      expect(await characters(`Look: ${link_url}`)).toBe(6 + link_url.length)
      expect(await characters('')).toBe(link_url.length)
      expect(await characters('👋🏽')).toBe(2 + 1 + link_url.length)
    })

    it('can be checked without saving it', async () => {
      const before = await shop.listed('/social_posts')
      const checked = await shop.post('/social_posts/validate', {
        ...{ social_accounts: [on.instagram, on.x], content: 'x'.repeat(281), scheduled_at: inDays(-1) },
      })
      expect(checked).toMatchObject({ object: 'social_post_validation', valid: false })
      expect(checked.results).toEqual([
        {
          ...{
            social_account: on.instagram,
            platform: 'instagram',
            valid: false,
            characters: 281,
            max_characters: 2200,
          },
          errors: ['Media must have an image or a video for Instagram', 'Scheduled at must be in the future'],
        },
        {
          ...{ social_account: on.x, platform: 'x', valid: false, characters: 281, max_characters: 280 },
          errors: ['Content is too long for X (281 characters, maximum is 280)', 'Scheduled at must be in the future'],
        },
      ])
      const empty = await shop.post('/social_posts/validate', { social_accounts: [on.x] })
      expect(empty.results[0].errors).toEqual([
        "Content can't be blank on X, because the post has nothing else to show",
      ])
      const media = [await shop.file({ upload_status: 'processing' })]
      const early = await shop.post('/social_posts/validate', { ...body(on.x!), media })
      expect(early.results[0].errors).toEqual(['Media has a file that is not ready yet'])
      expect(await shop.post('/social_posts/validate', body(on.x!))).toMatchObject({ valid: true })
      expect(await shop.listed('/social_posts')).toEqual(before)
    })
  })
})
