import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { simulatedProvider } from '../../../src/features/social/providers/simulated/simulated.ts'

const login = {
  ...{ platform: 'x', id: 'sacct_1', username: 'adasbooks', test: true, publicUrl: 'http://shop' },
  credentials: { token: 'works' },
}
const { signal } = new AbortController()
const POST = { id: 'sandbox_0123', publishedAt: '2035-01-10T18:30:00Z' }

const snapshot = (from: string, to: string, posts = [POST]) =>
  simulatedProvider.sync({ login, signal, posts, from, to, now: `${to}T23:59:59Z` })

describe('The simulated platforms', () => {
  it('says the same whenever it is asked, so that it is the same in every replica', async () => {
    expect(await snapshot('2035-01-01', '2035-01-20')).toEqual(await snapshot('2035-01-01', '2035-01-20'))
  })

  it('says the same of a day whatever period is asked for', async () => {
    const day = fc.integer({ min: 1, max: 28 }).map((number) => `2035-01-${String(number).padStart(2, '0')}`)
    const whole = (await snapshot('2035-01-01', '2035-01-28')).days
    await fc.assert(
      fc.asyncProperty(day, day, async (one, other) => {
        const [from, to] = one < other ? [one, other] : [other, one]
        const { days } = await snapshot(from, to)
        const expected = whole.filter(({ date }) => date >= from && date <= to)
        expect(sorted(days)).toEqual(sorted(expected))
      }),
      { numRuns: 50 },
    )
  })

  it('reports every day of the account, and of a post the days on which people see it', async () => {
    const { days } = await snapshot('2035-01-01', '2035-03-01')
    expect(days.filter(({ post }) => post === null)).toHaveLength(60)
    const ofPost = days.filter(({ post }) => post === POST.id)
    expect([ofPost[0]!.date, ofPost.length]).toEqual(['2035-01-10', 30])
    expect(ofPost[0]!.figures.reach).toBeGreaterThan(ofPost[5]!.figures.reach!)
  })

  it('has figures that fit each other', async () => {
    const { days, profile } = await snapshot('2035-01-01', '2035-02-01')
    for (const { figures } of days) {
      expect(Object.values(figures).every((value) => Number.isInteger(value) && value >= 0)).toBe(true)
      expect(figures.impressions! >= figures.reach! && figures.reach! >= 0).toBe(true)
    }
    const own = days.filter(({ post }) => post === null)
    expect(profile.followersCount).toBe(own.at(-1)!.figures.followers)
    for (const [index, { figures }] of own.entries())
      if (index > 0) expect(figures.followers! - own[index - 1]!.figures.followers!).toBe(figures.followers_gained)
  })

  it('brings comments over the hours after a post, answers after what they answer, and takes none back', async () => {
    const at = async (now: string) =>
      (await simulatedProvider.sync({ login, signal, posts: [POST], from: '2035-01-10', to: '2035-01-10', now }))
        .comments
    const first = await at(POST.publishedAt)
    expect(first).toHaveLength(1)
    const later = await at('2035-01-12T00:00:00Z')
    expect(later.slice(0, 1)).toEqual(first)
    for (const [index, { parent }] of later.entries())
      expect(parent === null || later.slice(0, index).some(({ id }) => id === parent)).toBe(true)
  })
})

function sorted<Day extends { date: string; post: string | null }>(days: Day[]): Day[] {
  return days.toSorted((one, other) => (`${one.date} ${one.post}` < `${other.date} ${other.post}` ? -1 : 1))
}
