import { beforeAll, describe, expect, it } from 'vitest'
import { daysAfter, type Rehearsal, rehearse } from '../../support/rehearsal.ts'
import { type Body, onGateEngine } from '../../support/shop.ts'
import { connected } from '../../support/social.ts'

const START = '2035-03-01T08:00:00Z'

describe('A planned social post', () => {
  onGateEngine((live) => {
    let rehearsal: Rehearsal
    let account: Body
    beforeAll(async () => {
      rehearsal = await rehearse(live, START)
      account = await connected(rehearsal.shop)
    })

    const post = async (id: string) => {
      await rehearsal.shop.settled()
      return rehearsal.shop.get(`/social_posts/${id}?expand=targets`)
    }
    const planned = (days: number, accounts = [account.id]): Promise<Body> =>
      rehearsal.shop.post('/social_posts', {
        ...{ social_accounts: accounts, content: 'Later', scheduled_at: daysAfter(START, days) },
      })

    it('goes out at its time, once', async () => {
      const { id, scheduled_at } = await planned(1)
      await rehearsal.to(daysAfter(START, 0.9))
      expect((await post(id)).status).toBe('scheduled')
      const events = await rehearsal.events(() => rehearsal.to(daysAfter(START, 2)))
      expect(events.filter((type) => type.startsWith('social_post'))).toEqual(['social_post.published'])
      const published = await post(id)
      expect(published).toMatchObject({ status: 'published', scheduled_at })
      expect(published.published_at >= scheduled_at).toBe(true)
      await rehearsal.to(daysAfter(START, 3))
      expect(await post(id)).toEqual(published)
    })

    it('goes out at another time once it was moved, and not at all once it was taken back or deleted', async () => {
      const [moved, taken, deleted] = [await planned(5), await planned(5), await planned(5)]
      await rehearsal.shop.patch(`/social_posts/${moved.id}`, { scheduled_at: daysAfter(START, 8) })
      await rehearsal.shop.post(`/social_posts/${taken.id}/unschedule`)
      await rehearsal.shop.delete(`/social_posts/${deleted.id}`)
      await rehearsal.to(daysAfter(START, 7))
      expect((await post(moved.id)).status).toBe('scheduled')
      await rehearsal.to(daysAfter(START, 9))
      expect((await post(moved.id)).published_at >= daysAfter(START, 8)).toBe(true)
      expect((await post(taken.id)).status).toBe('draft')
    })

    it('goes out where it can when one of its accounts is gone by then', async () => {
      const other = await connected(rehearsal.shop)
      const both = await planned(12, [account.id, other.id])
      const alone = await planned(12, [other.id])
      await rehearsal.shop.delete(`/social_accounts/${other.id}`)
      await rehearsal.to(daysAfter(START, 13))
      expect(await post(both.id)).toMatchObject({
        status: 'partially_failed',
        targets: [{ status: 'published' }, { status: 'failed', error_message: 'account disconnected' }],
      })
      expect(await post(alone.id)).toMatchObject({ status: 'failed', published_at: null })
    })

    it('fails on an account that can no longer be used, and says why', async () => {
      const other = await connected(rehearsal.shop)
      const { id } = await planned(16, [other.id])
      await rehearsal.shop.set('social_accounts', other.id, { status: 'expired' })
      await rehearsal.to(daysAfter(START, 17))
      expect((await post(id)).targets[0]).toMatchObject({
        ...{ status: 'failed', error_message: 'The account is expired. Reconnect it and try again.' },
      })
    })
  })
})
