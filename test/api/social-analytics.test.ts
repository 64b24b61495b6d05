import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { intervalsOf } from '../../src/contract/values/days.ts'
import { periodOf } from '../../src/features/social/resources/social-analytics/period.ts'
import { daysAfter, type Rehearsal, rehearse } from '../support/rehearsal.ts'
import { type Body, onGateEngine } from '../support/shop.ts'
import { connected } from '../support/social.ts'

const DAY = /^\d{4}-\d{2}-\d{2}$/
const START = '2035-01-01T08:00:00Z'

describe('The figures of social accounts', () => {
  onGateEngine((live) => {
    let rehearsal: Rehearsal
    let x: Body
    let instagram: Body
    let posts: Body[]

    beforeAll(async () => {
      rehearsal = await rehearse(live, START)
      const { shop } = rehearsal
      x = await connected(shop)
      instagram = await connected(shop, { platform: 'instagram' })
      posts = []
      for (const [day, hour] of [
        [2, 18],
        [9, 18],
        [10, 3],
      ] as const) {
        await rehearsal.to(`2035-01-${String(day).padStart(2, '0')}T${String(hour).padStart(2, '0')}:00:00Z`)
        const media = [await shop.file({ content_type: 'image/jpeg' })]
        const body = { social_accounts: [x.id, instagram.id], content: 'Hello', media, publish_now: true }
        posts.push(await shop.post('/social_posts', body))
      }
      await rehearsal.to('2035-02-20T10:00:00Z')
      for (const { id } of [x, instagram]) await shop.post(`/social_accounts/${id}/sync`)
    })

    const get = (path: string): Promise<Body> => rehearsal.shop.get(path)
    const refusal = (path: string) => rehearsal.shop.refusal('GET', path)

    it('tell the followers and the figures of Mastodon', async () => {
      const { shop } = rehearsal
      const mastodon = await connected(shop, { platform: 'mastodon' })
      await shop.post(`/social_accounts/${mastodon.id}/sync`)
      const { followers_count } = await shop.get(`/social_accounts/${mastodon.id}`)
      const { metrics } = await shop.get(`/social_accounts/${mastodon.id}/analytics`)
      expect(metrics.followers).toBe(followers_count)
      expect(metrics.likes).toBeGreaterThan(0)
      expect(followers_count).toBeGreaterThan(0)
      await shop.delete(`/social_accounts/${mastodon.id}`)
    })

    it('cover the last 30 days unless other days are asked for', async () => {
      const summary = await get('/social_analytics')
      expect(summary).toMatchObject({
        from: '2035-01-22',
        to: '2035-02-20',
        platform: null,
        social_account: null,
        sandbox: true,
      })
      expect(Object.keys(summary.by_platform)).toEqual(['instagram', 'x'])
      expect(summary.metrics.impressions).toBeGreaterThan(0)
      expect(summary.metrics.posts).toBe(0)
      expect((await get('/social_analytics?from=2035-01-01&to=2035-01-31')).metrics.posts).toBe(6)
    })

    it('add up: the platforms to the whole, the points of a timeline to its totals', async () => {
      const range = 'from=2035-01-01&to=2035-02-20'
      const whole = await get(`/social_analytics?${range}`)
      const names = [
        'posts',
        'impressions',
        'reach',
        'likes',
        'comments',
        'shares',
        'clicks',
        'saves',
        'followers_gained',
      ]
      const sum = (all: Body[], name: string) => all.reduce((total, one) => total + one[name], 0)
      for (const interval of ['day', 'week', 'month']) {
        const { points } = await get(`/social_analytics/timeline?${range}&interval=${interval}`)
        for (const name of names)
          expect([
            name,
            sum(
              points.map(({ metrics }: Body) => metrics),
              name,
            ),
          ]).toEqual([name, whole.metrics[name]])
        expect(points.at(-1).metrics.followers).toBe(whole.metrics.followers)
      }
      for (const name of [...names, 'followers'])
        expect([name, sum(Object.values(whole.by_platform), name)]).toEqual([name, whole.metrics[name]])
      const { followers_count } = await get(`/social_accounts/${x.id}`)
      expect((await get(`/social_accounts/${x.id}/analytics?${range}`)).metrics.followers).toBe(followers_count)
    })

    it('have a point for every interval, with and without figures', async () => {
      const dates = async (query: string) =>
        (await get(`/social_analytics/timeline?${query}`)).points.map(({ date }: Body) => date)
      const days = await dates('from=2034-12-25&to=2035-12-25')
      expect(days).toHaveLength(366)
      expect(
        days.every((date: string, at: number) => date === daysAfter('2034-12-25T00:00:00Z', at).slice(0, 10)),
      ).toBe(true)
      expect(await dates('from=2035-01-03&to=2035-01-16&interval=week')).toEqual([
        '2035-01-03',
        '2035-01-08',
        '2035-01-15',
      ])
      expect(await dates('from=2035-01-31&to=2035-03-01&interval=month')).toEqual([
        '2035-01-31',
        '2035-02-01',
        '2035-03-01',
      ])
      const nothing = await get('/social_analytics/timeline?platform=youtube&from=2035-01-01&to=2035-01-02')
      expect(nothing.points.map(({ metrics }: Body) => [metrics.impressions, metrics.engagement_rate])).toEqual([
        [0, 0],
        [0, 0],
      ])
    })

    it('are those of one platform, one account or one post', async () => {
      const range = 'from=2035-01-01&to=2035-02-20'
      const all = (await get(`/social_analytics?${range}`)).by_platform
      expect((await get(`/social_analytics?${range}&platform=x`)).metrics).toEqual(all.x)
      expect((await get(`/social_analytics?${range}&social_account=${x.id}`)).metrics).toEqual(all.x)
      const own = await get(`/social_accounts/${x.id}/analytics?${range}&interval=month`)
      expect(own).toMatchObject({ metrics: all.x, social_account: x.id, platform: 'x', by_platform: null })
      expect(own.points).toHaveLength(2)
      const post = await get(`/social_posts/${posts[0]!.id}/analytics?${range}`)
      expect(post).toMatchObject({ social_post: posts[0]!.id, social_account: null, points: null })
      expect(post.metrics).toMatchObject({ posts: 2, followers: 0 })
      expect(post.metrics.impressions).toBeGreaterThan(0)
      expect(post.metrics.impressions).toBeLessThan(all.x.impressions + all.instagram.impressions)
      const { impressions, likes, comments, shares, clicks, saves, engagement_rate } = post.metrics
      expect(engagement_rate).toBeCloseTo((likes + comments + shares + clicks + saves) / impressions, 4)
    })

    it('have a point for each day where clocks change, whatever the time zone of the shop', async () => {
      await rehearsal.shop.patch('/account', { timezone: 'Europe/Berlin' })
      for (const [from, to, count] of [
        ['2035-03-24', '2035-03-27', 4],
        ['2034-10-28', '2034-10-31', 4],
      ]) {
        const { points } = await get(`/social_analytics/timeline?from=${from}&to=${to}`)
        expect([new Set(points.map(({ date }: Body) => date)).size, points.at(-1).date]).toEqual([count, to])
      }
      await rehearsal.shop.patch('/account', { timezone: 'UTC' })
    })

    it('count the followers that were last known, also on days of which nothing is known yet', async () => {
      const { followers_count } = await get(`/social_accounts/${x.id}`)
      const later = await get(`/social_accounts/${x.id}/analytics?from=2035-05-01&to=2035-05-03&interval=day`)
      expect(later.metrics).toMatchObject({ impressions: 0, followers: followers_count, followers_gained: 0 })
      expect(later.points.map(({ metrics }: Body) => metrics.followers)).toEqual(Array(3).fill(followers_count))
      const { points } = await get(`/social_accounts/${x.id}/analytics?from=2034-08-01&to=2034-08-02&interval=day`)
      expect(points[0].metrics.followers).toBe(0)
    })

    it('are the same whenever they are asked for', async () => {
      const path = '/social_analytics/timeline?from=2035-01-01&to=2035-02-20'
      const before = await get(path)
      await rehearsal.shop.post(`/social_accounts/${x.id}/sync`)
      expect(await get(path)).toEqual(before)
    })

    it('are refused for days that there are not, the wrong way round, or too many', async () => {
      for (const path of [
        '/social_analytics',
        '/social_analytics/timeline',
        `/social_posts/${posts[0]!.id}/analytics`,
      ]) {
        for (const [query, param] of [
          ['from=2035-02-30', 'from'],
          ['to=yesterday', 'to'],
          ['from=2035-02-02&to=2035-02-01', 'from'],
          ['from=2033-01-01&to=2035-02-01', 'from'],
          ['from=2034-01-31&to=2035-02-01', 'from'],
          ['from=0001-01-01', 'from'],
          ['from=9999-12-30&to=9999-12-31', 'to'],
        ])
          expect([query, await refusal(`${path}?${query}`)]).toEqual([query, [400, 'parameter_invalid', param]])
      }
    })

    it('say at which hours posts do best, as clocks in a time zone show them', async () => {
      const best = await get('/social_analytics/best_times')
      expect(best).toMatchObject({ timezone: 'UTC', platform: null })
      const byHour = (slots: Body[]) => slots.map(({ weekday, hour, samples }) => [weekday, hour, samples])
      // 2 and 9 January 2035 are Tuesdays, the 10th is a Wednesday.
      expect(byHour(best.slots).sort()).toEqual([
        [2, 18, 4],
        [3, 3, 2],
      ])
      expect(best.slots[0].score).toBe(1)
      expect(best.slots[1].score).toBeLessThanOrEqual(1)
      const tokyo = await get(`/social_analytics/best_times?timezone=Asia/Tokyo&social_account=${x.id}`)
      expect(byHour(tokyo.slots).sort()).toEqual([
        [3, 12, 1],
        [3, 3, 2],
      ])
      expect((await get('/social_analytics/best_times?platform=youtube')).slots).toEqual([])
    })

    it('are read once a day without being asked for', async () => {
      const { last_synced_at } = await get(`/social_accounts/${instagram.id}`)
      await rehearsal.to(daysAfter(last_synced_at, 3))
      await rehearsal.shop.settled()
      expect((await get(`/social_accounts/${instagram.id}`)).last_synced_at > daysAfter(last_synced_at, 1)).toBe(true)
    })
  })

  it('have intervals that follow each other and fill any period', () => {
    const day = fc.date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true })
    const period = fc.record({ to: day, length: fc.integer({ min: 0, max: 365 }) })
    fc.assert(
      fc.property(period, fc.constantFrom('day', 'week', 'month'), ({ to, length }, interval) => {
        const last = to.toISOString().slice(0, 10)
        const first = daysAfter(`${last}T00:00:00Z`, -length).slice(0, 10)
        const intervals = intervalsOf(periodOf(`${last}T00:00:00Z`, { from: first }), interval)
        expect([intervals[0]!.from, intervals.at(-1)!.to]).toEqual([first, last])
        for (const [index, one] of intervals.entries()) {
          expect([one.from, one.to].every((text) => DAY.test(text)) && one.from <= one.to).toBe(true)
          const before = intervals[index - 1]
          if (before) expect(daysAfter(`${before.to}T00:00:00Z`, 1).slice(0, 10)).toBe(one.from)
        }
      }),
    )
  })
})
