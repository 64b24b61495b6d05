import { beforeAll, describe, expect, it } from 'vitest'
import { film } from '../support/film.ts'
import { type Body, onGateEngine } from '../support/shop.ts'
import { connected } from '../support/social.ts'

describe('A video of a social post', () => {
  onGateEngine((shop) => {
    let x: string
    let youtube: string
    beforeAll(async () => {
      x = (await connected(shop, { platform: 'x' })).id
      youtube = (await connected(shop, { platform: 'youtube' })).id
    })

    const uploaded = async (seconds: number): Promise<string> => {
      const file = await shop.post('/files', { filename: 'film.mp4' })
      const body = (await film('mp4', seconds)) as BodyInit
      await fetch(file.upload_url, { method: 'PUT', headers: file.upload_headers, body })
      await shop.post(`/files/${file.id}/uploaded`)
      return file.id
    }
    const draft = (video: string, accounts: string[]): Promise<Body> =>
      shop.post('/social_posts', { social_accounts: accounts, content: 'Look.', media: [video] })
    const TOO_LONG = 'has a video that is too long for X (141 seconds, maximum is 140)'

    it('is refused by the platforms for which it is too long, and by no other', async () => {
      const [fits, long] = [await uploaded(140), await uploaded(141)]
      const post = await draft(long, [x, youtube])
      const at = new Date(Date.now() + 86_400_000).toISOString()
      expect(await shop.refusal('POST', `/social_posts/${post.id}/publish`)).toEqual({ media: [TOO_LONG] })
      expect(await shop.refusal('POST', `/social_posts/${post.id}/schedule`, { scheduled_at: at })).toEqual({
        media: [TOO_LONG],
      })
      const body = { social_accounts: [x], content: 'Look.', media: [long] }
      const { results } = await shop.post('/social_posts/validate', body)
      expect(results[0]).toMatchObject({ valid: false, errors: [`Media ${TOO_LONG}`] })
      for (const [video, account] of [
        [fits, x],
        [long, youtube],
      ] as const) {
        const { id } = await draft(video, [account])
        await shop.post(`/social_posts/${id}/publish`)
        await shop.settled()
        expect((await shop.get(`/social_posts/${id}`)).status).toBe('published')
      }
    })

    it('that came before lengths were read is measured when it is published', async () => {
      const [fits, long] = [await uploaded(20), await uploaded(141)]
      for (const id of [fits, long]) await shop.set('files', id, { duration_ms: null, measured: 0 })
      const good = await draft(fits, [x])
      const bad = await draft(long, [x, youtube])
      for (const { id } of [good, bad]) await shop.post(`/social_posts/${id}/publish`)
      await shop.settled()
      expect((await shop.get(`/social_posts/${good.id}`)).status).toBe('published')
      expect((await shop.get(`/social_posts/${bad.id}`)).status).toBe('partially_failed')
      const targets = (await shop.get(`/social_posts/${bad.id}/targets`)).data
      expect(targets).toMatchObject([
        { status: 'failed', error_message: `The post ${TOO_LONG}.` },
        { status: 'published' },
      ])
    })
  })
})
