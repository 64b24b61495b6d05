import { setImmediate as tick } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Leave, Places } from '../../src/concurrency/places.ts'
import { times } from '../support/depth.ts'

const visit = fc.record({
  account: fc.constantFrom('a', 'b', 'c'),
  comesAfter: fc.nat(6),
  abortsAfter: fc.option(fc.nat(10)),
  staysFor: fc.nat(4),
})
type Visit = typeof visit extends fc.Arbitrary<infer Value> ? Value : never

const ticks = async (count: number) => {
  for (let turn = 0; turn < count; turn++) await tick()
}

describe('places', () => {
  it('answer everyone who comes exactly once, and are all free in the end', async () => {
    const property = fc.asyncProperty(
      fc.array(visit, { maxLength: 20 }),
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 3 }),
      async (visits, count, each) => {
        const places = new Places({ count, each })
        const inside: string[] = []
        const come = async ({ account, comesAfter, abortsAfter, staysFor }: Visit) => {
          await ticks(comesAfter)
          const gone = new AbortController()
          const leaving = abortsAfter === null ? null : ticks(abortsAfter).then(() => gone.abort(gone))
          const place = await places.take(account, gone.signal).catch((error) => error)
          if (place !== gone) {
            inside.push(account)
            expect(inside.length).toBeLessThanOrEqual(count)
            expect(inside.filter((other) => other === account).length).toBeLessThanOrEqual(each)
            await ticks(staysFor)
            inside.splice(inside.indexOf(account), 1)
            place()
            place()
          }
          await leaving
        }
        await Promise.all(visits.map(come))
        expect(places.size).toBe(0)
        const all = Array.from({ length: count }, (_, index) => places.take(`other ${index}`))
        for (const leave of await Promise.all(all)) leave()
      },
    )
    await fc.assert(property, { numRuns: times({ gate: 60, deep: 200 }) })
  })

  it('serve another key before the one that had the last place, and never leave all of them to one', async () => {
    const places = new Places({ count: 2, each: 1 })
    const entered: string[] = []
    const enter = async (key: string): Promise<Leave> => {
      const leave = await places.take(key)
      entered.push(key)
      return leave
    }
    const busy = Array.from({ length: 3 }, () => enter('busy'))
    const other = await enter('other')
    expect(entered).toEqual(['busy', 'other'])
    const third = enter('third')
    ;(await busy[0]!)()
    other()
    ;(await third)()
    ;(await busy[1]!)()
    ;(await busy[2]!)()
    expect(entered.slice(2).toSorted()).toEqual(['busy', 'busy', 'third'])
    expect(places.size).toBe(0)
  })
})
