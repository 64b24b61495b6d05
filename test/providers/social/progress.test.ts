import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  PlatformBusyError,
  PlatformRefusedError,
  type Published,
  type PublishRequest,
} from '../../../src/features/social/providers/provider.ts'
import { PlatformWorkingError, Turn } from '../../../src/features/social/providers/sending.ts'
import { engines } from '../../database/engines.ts'
import { OutsideShop, until } from './outside.ts'

const PUBLISHED = { id: 'there', url: null, firstCommentId: null }

for (const engine of engines) {
  describe.skipIf(!engine.available)(`What is kept of a post on its way, on ${engine.name}`, () => {
    let shop: OutsideShop
    /** What comes of each try, in order. */
    let tries: ((request: Required<PublishRequest>) => Promise<Published>)[] = []
    const known: unknown[] = []
    beforeAll(async () => {
      shop = await OutsideShop.open(engine)
      shop.platform.publish = (request) => {
        known.push(request.progress?.known)
        return tries.shift()!(request as Required<PublishRequest>)
      }
    })
    afterAll(() => shop.close())

    const publish = async () => {
      const id = await shop.draft([shop.accounts[0]!])
      return { id, publishing: shop.post(`/social_posts/${id}/publish`) }
    }
    const becomes = (id: string, status: string) =>
      until(async () => {
        await shop.hurry('waiting')
        return (await shop.statusOf(id)) === status
      })

    it('is there in the next try, in the values that were kept last, and gone when the post is published', async () => {
      known.length = 0
      tries = [
        async ({ progress }) => {
          await progress.keep({ session: 'first' })
          await progress.keep({ session: 'second' })
          throw new Error('The connection was lost')
        },
        async () => {
          throw new PlatformBusyError('There is more to send.', Date.now())
        },
        async () => PUBLISHED,
      ]
      const { id, publishing } = await publish()
      await becomes(id, 'published')
      await publishing
      expect(known).toEqual([{}, { session: 'second' }, { session: 'second' }])
    })

    it.each([
      ['goes on with the same post where something was kept', { video: 'v1' }, { video: 'v1' }],
      ['begins anew where nothing is', {}, {}],
    ])('after a refusal, a retry %s', async (_, kept, found) => {
      known.length = 0
      const keys: string[] = []
      tries = [
        async ({ progress, key }) => {
          keys.push(key)
          await progress.keep({ session: 'first' })
          await progress.keep(kept)
          throw new PlatformRefusedError('Not like this.')
        },
        async ({ key }) => {
          keys.push(key)
          return PUBLISHED
        },
      ]
      const { id, publishing } = await publish()
      await publishing
      expect(await shop.statusOf(id)).toBe('failed')
      expect(await shop.post(`/social_posts/${id}/retry`)).toMatchObject({ status: 'published' })
      expect(known).toEqual([{}, found])
      expect(keys[0] === keys[1]).toBe('video' in kept)
    })

    it('cannot be kept by a try that another worker has taken over, which so publishes nothing', async () => {
      const hanging = Promise.withResolvers<void>()
      const late: unknown[] = []
      let begun = false
      tries = [
        async ({ progress }) => {
          begun = true
          await hanging.promise
          await progress.keep({ session: 'mine' }).catch((error: Error) => late.push(error.message))
          throw new Error('The try is over')
        },
        async ({ progress }) => {
          await progress.keep({ session: 'theirs' })
          return PUBLISHED
        },
      ]
      const { id, publishing } = await publish()
      await until(() => begun)
      await shop.hurry('working')
      const survivor = shop.small.anotherWorker()
      survivor.start()
      await until(async () => (await shop.statusOf(id)) === 'published')
      hanging.resolve()
      await until(() => late.length > 0)
      expect(late).toEqual(['Another try goes on with this post, or it has ended.'])
      await publishing
      await survivor.stop()
    })
  })
}

describe('The turn of one try', () => {
  const { signal } = new AbortController()

  it('ends with a wish to go on, which is no failure', async () => {
    const over = new Turn(signal, -1)
    expect(() => over.requireTime()).toThrow(PlatformBusyError)
    await expect(over.until(async () => null)).rejects.toBeInstanceOf(PlatformWorkingError)
    expect(await over.until(async () => 'done')).toBe('done')
    expect(() => new Turn(signal).requireTime()).not.toThrow()
  })

  it('ends at once when the service stops', async () => {
    const stopping = new AbortController()
    const looking = new Turn(stopping.signal).until(async () => {
      stopping.abort()
      return null
    })
    await expect(looking).rejects.toMatchObject({ name: 'AbortError' })
  })
})
