import fc from 'fast-check'
import { expect, it } from 'vitest'
import { FairQueue } from '../../src/concurrency/fair-queue.ts'

/** An item joins the line of an account, leaves it again, or one is taken. */
const step = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), account: fc.constantFrom('a', 'b', 'c', 'd') }),
  fc.record({ kind: fc.constant('leave' as const), nth: fc.nat(20) }),
  fc.record({ kind: fc.constant('take' as const) }),
)

interface Item {
  account: string
  /** Items that had been taken when it came. */
  since: number
}

it('never serves an account twice while another one waits, and loses nothing', () => {
  const property = fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
    const queue = new FairQueue<Item>()
    const taken: Item[] = []
    let waiting: Item[] = []
    const takeOne = () => {
      const item = queue.take()
      if (!item) return expect(waiting).toEqual([])
      expect(waiting.find(({ account }) => account === item.account)).toBe(item)
      const before = taken.findLastIndex(({ account }) => account === item.account)
      const servedSince = new Set(taken.slice(before + 1).map(({ account }) => account))
      const overlooked = waiting.filter(
        ({ account, since }) => before >= 0 && since <= before + 1 && account !== item.account,
      )
      expect(overlooked.filter(({ account }) => !servedSince.has(account))).toEqual([])
      waiting = waiting.filter((other) => other !== item)
      taken.push(item)
    }
    for (const one of steps) {
      if (one.kind === 'take') takeOne()
      else if (one.kind === 'add') {
        const item = { account: one.account, since: taken.length }
        waiting.push(item)
        queue.add(item.account, item)
      } else {
        const item = [...taken, ...waiting][one.nth]
        if (item) queue.remove(item.account, item)
        waiting = waiting.filter((other) => other !== item)
      }
      expect(queue.size).toBe(waiting.length)
    }
    while (queue.size > 0) takeOne()
    expect(waiting).toEqual([])
  })
  fc.assert(property, { numRuns: 300 })
})
