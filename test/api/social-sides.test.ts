import { beforeAll, describe, expect, it } from 'vitest'
import { film } from '../support/film.ts'
import { jpeg, PICTURES, png } from '../support/picture.ts'
import { type Body, onEachEngine } from '../support/shop.ts'
import { connected, inDays } from '../support/social.ts'

const TOO_WIDE = 'has an image that is too wide for Instagram (2.5:1, at most 1.91:1)'

describe('The sides of files of a social post', () => {
  onEachEngine((shop) => {
    const accounts: Record<string, string> = {}
    beforeAll(async () => {
      for (const platform of ['instagram', 'threads', 'x', 'linkedin', 'tiktok', 'pinterest', 'mastodon', 'bluesky'])
        accounts[platform] = (await connected(shop, { platform })).id
    })

    const uploaded = async (filename: string, bytes: Uint8Array): Promise<Body> => {
      const file = await shop.post('/files', { filename })
      await fetch(file.upload_url, { method: 'PUT', headers: file.upload_headers, body: bytes as BodyInit })
      return shop.post(`/files/${file.id}/uploaded`)
    }
    const draft = (media: string[], platforms: string[]) => ({
      ...{ content: 'Look.', media },
      social_accounts: platforms.map((platform) => accounts[platform]),
      ...(platforms.includes('tiktok') && { overrides: { tiktok: { options: { privacy_level: 'SELF_ONLY' } } } }),
    })
    const errorsOn = async (platform: string, ...media: string[]): Promise<string[]> => {
      const { results } = await shop.post('/social_posts/validate', draft(media, [platform]))
      return results[0].errors
    }
    /** A file as it would be after an upload of that many pixels. */
    const picture = (width: number, height: number, content_type = 'image/jpeg') =>
      shop.file({ width, height, content_type, measured: 1 })
    const video = (width: number, height: number) =>
      shop.file({ width, height, content_type: 'video/mp4', duration_ms: 5_000, measured: 1 })

    it('are read when a file becomes ready, and are those that people see', async () => {
      for (const [kind, make] of Object.entries(PICTURES))
        expect([kind, await uploaded('bird', make(300, 200))]).toMatchObject([kind, { width: 300, height: 200 }])
      const turned = await uploaded('bird.jpg', jpeg(300, 200, { orientation: 6 }))
      expect(turned).toMatchObject({ width: 200, height: 300 })
      expect(await shop.get(`/files/${turned.id}`)).toEqual(turned)
      expect(await uploaded('bird.mp4', await film('mp4', 3))).toMatchObject({ width: 640, height: 360 })
    })

    it('are not known of other files and broken ones, which are ready as well', async () => {
      const unknown = { upload_status: 'ready', width: null, height: null }
      expect(await uploaded('words.txt', Buffer.from('A kestrel'))).toMatchObject(unknown)
      const broken = await uploaded('bird.jpg', jpeg(300, 200).subarray(0, 8))
      expect(broken).toMatchObject({ ...unknown, content_type: 'image/jpeg' })
      expect(await uploaded('bird.mp4', (await film('mp4', 3)).slice(0, 500))).toMatchObject(unknown)
      expect(await errorsOn('instagram', broken.id)).toEqual([])
    })

    it('keep a post from being validated, scheduled and published where they do not fit', async () => {
      const { id: wide } = await uploaded('bird.jpg', jpeg(1000, 400))
      expect(await errorsOn('instagram', wide)).toEqual([`Media ${TOO_WIDE}`])
      expect(await errorsOn('threads', wide)).toEqual([])
      const post = await shop.post('/social_posts', draft([wide], ['instagram', 'threads']))
      const refusal = { media: [TOO_WIDE] }
      expect(await shop.refusal('POST', `/social_posts/${post.id}/publish`)).toEqual(refusal)
      const at = { scheduled_at: inDays(1) }
      expect(await shop.refusal('POST', `/social_posts/${post.id}/schedule`, at)).toEqual(refusal)
    })

    it('are held against the shapes that each network takes', async () => {
      const tall = await picture(1080, 1920)
      const tooTall = 'Media has an image that is too tall for Instagram (1:1.78, at least 4:5)'
      expect(await errorsOn('instagram', tall)).toEqual([tooTall])
      expect(await errorsOn('instagram', await picture(1080, 1080), tall, tall)).toEqual([tooTall])
      for (const [width, height] of [
        [1200, 628],
        [1080, 1350],
        [1080, 1351],
      ] as const)
        expect(await errorsOn('instagram', await picture(width, height))).toEqual([])
      expect(await errorsOn('threads', await picture(2000, 190))).toEqual([
        'Media has an image that is too wide for Threads (10.53:1, at most 10:1)',
      ])
      const [upright, panorama] = [await video(100, 250), await video(4000, 1000)]
      const videoErrors = async (platform: string) => [
        await errorsOn(platform, upright),
        await errorsOn(platform, panorama),
      ]
      expect(await videoErrors('linkedin')).toEqual([
        ['Media has a video that is too tall for LinkedIn (1:2.5, at least 1:2.4)'],
        ['Media has a video that is too wide for LinkedIn (4:1, at most 2.4:1)'],
      ])
      expect(await videoErrors('pinterest')).toEqual([
        ['Media has a video that is too tall for Pinterest (1:2.5, at least 1:2)'],
        ['Media has a video that is too wide for Pinterest (4:1, at most 1.91:1)'],
      ])
      expect(await videoErrors('x')).toEqual([[], ['Media has a video that is too wide for X (4:1, at most 3:1)']])
      expect(await videoErrors('instagram')).toEqual([[], []])
      expect(await videoErrors('bluesky')).toEqual([[], []])
    })

    it('are held against the pixels that each network takes', async () => {
      expect(await errorsOn('x', await picture(3, 900))).toEqual([
        'Media has an image with too few pixels for X (3 × 900, minimum is 4 × 4)',
      ])
      expect(await errorsOn('x', await picture(900, 8193))).toEqual([
        'Media has an image with too many pixels for X (900 × 8193, maximum is 8192 × 8192)',
      ])
      expect(await errorsOn('linkedin', await picture(8000, 6000))).toEqual([
        'Media has an image with too many pixels for LinkedIn (8000 × 6000 are 48,000,000, maximum is 36,152,320)',
      ])
      expect(await errorsOn('tiktok', await video(320, 640))).toEqual([
        'Media has a video with too few pixels for TikTok (320 × 640, minimum is 360 × 360)',
      ])
      expect(await errorsOn('tiktok', await video(360, 4096))).toEqual([])
    })

    it('are held against the pixels that the server of an account takes', async () => {
      const limits = JSON.stringify({ imagePixels: 1_000_000, videoPixels: 500_000 })
      await shop.set('social_accounts', accounts.mastodon!, { limits })
      const [large, small] = [await picture(1001, 1000), await picture(1000, 1000)]
      expect(await errorsOn('mastodon', large)).toEqual([
        'Media has an image with too many pixels for Mastodon (1001 × 1000 are 1,001,000, maximum is 1,000,000)',
      ])
      expect(await errorsOn('mastodon', small)).toEqual([])
      expect(await errorsOn('mastodon', await video(1000, 501))).toEqual([
        'Media has a video with too many pixels for Mastodon (1000 × 501 are 501,000, maximum is 500,000)',
      ])
    })

    it('of files that came before they were read are measured when a post publishes them', async () => {
      const wide = await uploaded('bird.png', png(4, 1))
      const stripped = { width: null, height: null, measured: 0 }
      await shop.set('files', wide.id, stripped)
      const { id: upright } = await uploaded(
        'bird.mp4',
        await film('mp4', 3, { width: 640, height: 200, turned: true }),
      )
      await shop.set('files', upright, stripped)
      const published = async (media: string, platforms: string[]) => {
        expect(await errorsOn(platforms[0]!, media)).toEqual([])
        const { id } = await shop.post('/social_posts', draft([media], platforms))
        await shop.post(`/social_posts/${id}/publish`)
        await shop.settled()
        return (await shop.get(`/social_posts/${id}/targets`)).data
      }
      expect(await published(wide.id, ['x', 'bluesky'])).toMatchObject([
        {
          status: 'failed',
          error_message: 'The post has an image with too few pixels for X (4 × 1, minimum is 4 × 4).',
        },
        { status: 'published' },
      ])
      expect(await shop.get(`/files/${wide.id}`)).toMatchObject({ width: 4, height: 1 })
      expect(await published(upright, ['linkedin'])).toMatchObject([
        {
          status: 'failed',
          error_message: 'The post has a video that is too tall for LinkedIn (1:3.2, at least 1:2.4).',
        },
      ])
    })
  })
})
