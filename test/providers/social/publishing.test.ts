import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { MOST_ATTEMPTS } from '../../../src/features/social/resources/asking.ts'
import { engines } from '../../database/engines.ts'
import { OutsideShop, until } from './outside.ts'
import type { Platform } from './platform.ts'

for (const engine of engines) {
  describe.skipIf(!engine.available)(`Publishing on a platform outside, on ${engine.name}`, () => {
    let shop: OutsideShop
    let platform: Platform
    let accounts: string[]

    beforeAll(async () => {
      shop = await OutsideShop.open(engine)
      ;({ platform, accounts } = shop)
    })
    afterEach(() => {
      platform.afterPosting = () => {}
    })
    afterAll(() => shop.close())

    const publish = (id: string) => shop.post(`/social_posts/${id}/publish`)
    const isNow = (id: string, status: string) => async () => (await shop.statusOf(id)) === status

    it('asks each account once, by a key of its own', async () => {
      expect(await publish(await shop.draft(accounts))).toMatchObject({ status: 'published' })
      expect(platform.asked).toHaveLength(3)
      expect(new Set(platform.posts).size).toBe(3)
      expect(platform.asked.every(({ again }) => !again)).toBe(true)
    })

    it('happens once where two ask for it at the same moment', async () => {
      const before = platform.posts.length
      const id = await shop.draft(accounts)
      const ask = () => shop.small.call('POST', `/social_posts/${id}/publish`, {}, { caller: shop.caller })
      const answers = await Promise.all([ask(), ask()])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
      await until(isNow(id, 'published'))
      expect(platform.posts).toHaveLength(before + 3)
    })

    it('posts once where the answer was lost, and says so to the platform when it asks again', async () => {
      const before = platform.posts.length
      let lost = 0
      platform.afterPosting = () => {
        if (lost++ === 0) throw new Error('The connection was lost')
      }
      const id = await shop.draft([accounts[0]!])
      const publishing = publish(id)
      await until(() => lost === 1)
      await until(async () => {
        await shop.hurry('waiting')
        return isNow(id, 'published')()
      })
      await publishing
      expect(platform.posts).toHaveLength(before + 1)
      const asked = platform.asked.filter(({ key }) => key === platform.posts.at(-1))
      expect(asked.map(({ again }) => again)).toEqual([false, true])
    })

    it('posts once where the worker died while the platform was asked', async () => {
      const before = platform.posts.length
      const hanging = Promise.withResolvers<void>()
      platform.afterPosting = () => hanging.promise
      const id = await shop.draft([accounts[1]!])
      const publishing = publish(id)
      await until(() => platform.posts.length > before)
      await shop.hurry('working')
      const survivor = shop.small.anotherWorker()
      survivor.start()
      await until(isNow(id, 'published'))
      hanging.resolve()
      await publishing
      await survivor.stop()
      expect(platform.posts).toHaveLength(before + 1)
      expect(await shop.targetsOf(id)).toMatchObject([
        { status: 'published', platform_post_id: `post of ${platform.posts.at(-1)}` },
      ])
    })

    it('fails where no answer ever comes, and a retry asks for the same post, not for another', async () => {
      const before = platform.posts.length
      platform.afterPosting = () => {
        platform.isDown = true
        throw new Error('The connection was lost')
      }
      const id = await shop.draft([accounts[0]!])
      const publishing = publish(id)
      await until(async () => {
        // As if it had been tried all day.
        await shop.hurry('waiting', { attempts: MOST_ATTEMPTS - 1 })
        return isNow(id, 'failed')()
      })
      await publishing
      expect(await shop.targetsOf(id)).toMatchObject([
        { error_message: 'The platform could not be reached for 12 hours.' },
      ])
      platform.isDown = false
      expect(await shop.post(`/social_posts/${id}/retry`)).toMatchObject({ status: 'published' })
      expect(platform.asked.at(-1)).toMatchObject({ key: platform.posts[before], again: true })
      expect(platform.posts).toHaveLength(before + 1)
    })

    it('ends where an account is disconnected while its platform is asked', async () => {
      const gone = await shop.connect('leaving')
      const before = platform.posts.length
      const hanging = Promise.withResolvers<void>()
      platform.afterPosting = () => hanging.promise
      const id = await shop.draft([gone, accounts[1]!])
      const publishing = publish(id)
      await until(() => platform.posts.length === before + 2)
      await shop.call('DELETE', `/social_accounts/${gone}`)
      hanging.resolve()
      await publishing
      expect(await shop.statusOf(id)).toBe('published')
    })

    it('ends where an account is disconnected before its platform is asked', async () => {
      const gone = await shop.connect('left')
      const before = platform.posts.length
      const id = await shop.draft([gone, accounts[1]!])
      await shop.program([
        ['POST', `/social_posts/${id}/publish`],
        ['DELETE', `/social_accounts/${gone}`],
      ])
      await until(isNow(id, 'partially_failed'))
      expect(platform.posts).toHaveLength(before + 1)
      const failed = { social_account: gone, status: 'failed', error_message: 'account disconnected' }
      expect(await shop.targetsOf(id)).toMatchObject([failed, { status: 'published' }])
    })

    it('hands over the addresses of files, and fails where one is gone by the time of a retry', async () => {
      const file = await shop.insert('files', 'file', {
        ...{ kind: 'file', source: 'upload', upload_status: 'ready', filename: 'cover.png', store: 'local' },
        ...{ content_type: 'image/png', size: 10, stored_bytes: 10, checksum: 'e3b0' },
      })
      const body = { social_accounts: [accounts[0]], media: [file], publish_now: true }
      const id = String((await shop.post('/social_posts', body)).id)
      const [shown] = platform.asked.at(-1)!.media
      expect(shown!.contentType).toBe('image/png')
      expect(shown!.url).toMatch(new RegExp(`^http://shop/files/${file}/.+/cover\\.png$`))
      await shop.set('social_posts', { id }, { status: 'failed' })
      await shop.set('social_deliveries', { social_post: id }, { status: 'failed' })
      await shop.call('DELETE', `/files/${file}`)
      const before = platform.asked.length
      expect(await shop.post(`/social_posts/${id}/retry`)).toMatchObject({ status: 'failed' })
      expect(platform.asked).toHaveLength(before)
      expect(await shop.targetsOf(id)).toMatchObject([{ error_message: 'A file of the post was deleted.' }])
    })

    it('asks nobody for a post whose program was rolled back', async () => {
      const before = platform.asked.length
      const program = shop.small.database.program({ account: shop.caller.accountId })
      const body = { social_accounts: accounts, content: 'Never', publish_now: true }
      expect((await shop.call('POST', '/social_posts', body, program)).status).toBe('publishing')
      await program.rollback()
      await delay(50)
      expect(platform.asked).toHaveLength(before)
    })

    it('tells of a comment only what still holds when the platform is told', async () => {
      const comment = await shop.insert('social_comments', 'scom', {
        ...{ social_account: accounts[0], platform: 'x', author_name: 'Mara Lind', content: 'Nice!' },
        ...{ status: 'visible', liked: 0, likes_count: 0, replies_count: 0, from_account: 0 },
        platform_comment_id: '17895',
      })
      const act = (action: string): [string, string] => ['POST', `/social_comments/${comment}/${action}`]
      await shop.program([act('like'), act('unlike'), act('hide')])
      await until(() => platform.told.length >= 2)
      await shop.post(`/social_comments/${comment}/reply`, { content: 'Thank you!' })
      expect(platform.told.toSorted()).toEqual(['hide', 'reply', 'unlike'])
    })
  })
}
