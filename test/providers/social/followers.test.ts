import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DayFigures, Snapshot } from '../../../src/features/social/providers/provider.ts'
import { anyTable } from '../../../src/records/records.ts'
import { engines } from '../../database/engines.ts'
import { OutsideShop } from './outside.ts'

const TALK = { likes: 1, comments: 2, shares: 3, clicks: 4, saves: 5 }
const PROFILE = { username: 'one', displayName: null, profileUrl: null, avatarUrl: null }

for (const engine of engines) {
  describe.skipIf(!engine.available)(`Figures of days without followers, on ${engine.name}`, () => {
    let shop: OutsideShop
    let account: string
    beforeAll(async () => {
      shop = await OutsideShop.open(engine)
      account = shop.accounts[0]!
    })
    afterAll(() => shop.close())

    const today = new Date().toISOString().slice(0, 10)
    const yesterday = new Date(Date.now() - 24 * 60 * 60 * 1000).toISOString().slice(0, 10)
    const day = (date: string, reach: number): DayFigures => ({
      ...{ date, post: null, followersUnknown: true },
      figures: { ...TALK, impressions: 9, reach, followers: 0, followers_gained: 0 },
    })
    const sync = async (followersCount: number | null, days: DayFigures[]) => {
      const snapshot: Snapshot = { profile: { ...PROFILE, followersCount }, comments: [], days }
      Object.assign(shop.platform, { sync: async () => snapshot })
      await shop.post(`/social_accounts/${account}/sync`)
      const rows = anyTable({ db: shop.small.database.read }).selectFrom('social_figures').selectAll()
      const found = await rows.where('social_account', '=', account).orderBy('date').execute()
      return found.map((one) => [one.date, Number(one.reach), Number(one.followers), Number(one.followers_known)])
    }

    it('have the followers of today alone at first', async () => {
      expect(await sync(100, [day(yesterday, 6), day(today, 7)])).toEqual([
        [yesterday, 6, 0, 0],
        [today, 7, 100, 1],
      ])
    })

    it('keep the followers that were noted, and the days that are no longer reported', async () => {
      expect(await sync(103, [day(today, 8)])).toEqual([
        [yesterday, 6, 0, 0],
        [today, 8, 103, 1],
      ])
      expect(await sync(null, [day(today, 9)])).toEqual([
        [yesterday, 6, 0, 0],
        [today, 9, 103, 1],
      ])
      const { metrics } = await shop.get(`/social_accounts/${account}/analytics`)
      expect(metrics).toMatchObject({ reach: 15, followers: 103, likes: 2 })
    })
  })
}
