import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PostTotals, Snapshot } from '../../../src/features/social/providers/provider.ts'
import { engines } from '../../database/engines.ts'
import { OutsideShop, until } from './outside.ts'

const NONE = { impressions: 0, reach: 0, likes: 0, comments: 0, shares: 0, clicks: 0, saves: 0 }
const ROW = { ...NONE, followers: 0, followers_gained: 0, followers_known: 1 }
const PROFILE = { username: 'one', displayName: null, profileUrl: null, avatarUrl: null, followersCount: 12 }
const EARLIER = '2026-01-01'

describe.each(engines)('Figures of a platform that counts without days, on $name', (engine) => {
  describe.skipIf(!engine.available)('when they are read', () => {
    let shop: OutsideShop
    beforeAll(async () => {
      shop = await OutsideShop.open(engine)
    })
    afterAll(() => shop.close())

    /** Reads the account while the platform says this of its posts. */
    const read = async (account: string, totals: PostTotals[]) => {
      const sync = async (): Promise<Snapshot> => ({ profile: PROFILE, comments: [], days: [], totals })
      Object.assign(shop.platform, { sync })
      await shop.post(`/social_accounts/${account}/sync`)
    }
    const publish = async (account: string): Promise<{ id: string; on: string }> => {
      const id = await shop.draft([account])
      await shop.post(`/social_posts/${id}/publish`)
      await until(async () => (await shop.statusOf(id)) === 'published')
      const [target] = (await shop.targetsOf(id)) as { platform_post_id: string }[]
      return { id, on: target!.platform_post_id }
    }
    const metricsOf = async (path: string) => (await shop.get(path)).metrics

    it('count on the day of the reading what is new since earlier days', async () => {
      const account = shop.accounts[0]!
      const { id, on } = await publish(account)
      const earlier = { social_account: account, date: EARLIER, ...ROW }
      await shop.small.database.transaction(({ db }) =>
        db
          .insertInto('social_figures')
          .values([
            { account_id: shop.caller.accountId, ...earlier, social_post: id, likes: 5, comments: 3 },
            { account_id: shop.caller.accountId, ...earlier, social_post: '', likes: 5, comments: 3, followers: 10 },
          ])
          .execute(),
      )
      const stranger = { post: 'of somebody else', figures: { ...NONE, likes: 99 } }
      for (const likes of [7, 9])
        await read(account, [{ post: on, figures: { ...NONE, likes, comments: 2 } }, stranger])
      expect(await metricsOf(`/social_posts/${id}/analytics`)).toMatchObject({ likes: 4, comments: 0 })
      expect(await metricsOf(`/social_accounts/${account}/analytics`)).toMatchObject({
        ...{ likes: 4, comments: 0, followers: 12, followers_gained: 2 },
      })
    })

    it('stay as they are while the platform knows no posts', async () => {
      const account = shop.accounts[1]!
      await read(account, [])
      expect(await metricsOf(`/social_accounts/${account}/analytics`)).toMatchObject({ likes: 0, followers: 12 })
    })
  })
})
