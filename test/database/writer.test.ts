import { setTimeout as delay, setImmediate as tick } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ConflictError } from '../../src/database/database.ts'
import { AccountChanges } from '../../src/database/sqlite/account-changes.ts'
import type { Turn } from '../../src/database/sqlite/turn.ts'
import { Writer, type WriterConnection } from '../../src/database/sqlite/writer.ts'

/** A connection that does nothing, and at which the transactions that `fails` names cannot be begun. */
class Connection implements WriterConnection {
  inTransaction = false
  begun = 0
  readonly #fails: Set<number>

  constructor(fails: number[] = []) {
    this.#fails = new Set(fails)
  }

  command(sql: string): void {
    if (sql === 'begin immediate') {
      if (this.#fails.has(++this.begun)) throw Object.assign(new Error('busy'), { errcode: 5 })
      expect(this.inTransaction).toBe(false)
      this.inTransaction = true
    }
    if (sql === 'commit' || sql === 'rollback') this.inTransaction = false
  }
}

const ticks = async (count: number) => {
  for (let turn = 0; turn < count; turn++) await tick()
}

const visit = fc.record({
  kind: fc.constantFrom('share', 'hold'),
  account: fc.constantFrom('a', 'b', 'c'),
  comesAfter: fc.nat(6),
  abortsAfter: fc.option(fc.nat(12)),
  worksFor: fc.nat(3),
  succeeds: fc.boolean(),
})
type Visit = typeof visit extends fc.Arbitrary<infer Value> ? Value : never

describe('the writer', () => {
  it('settles everyone who comes, whoever gives up, fails or is refused', async () => {
    const property = fc.asyncProperty(
      fc.array(visit, { maxLength: 12 }),
      fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 3 }),
      async (visits, fails) => {
        const connection = new Connection(fails)
        const writer = new Writer(connection, new AccountChanges())
        let inside = 0
        const come = async ({ kind, account, comesAfter, abortsAfter, worksFor, succeeds }: Visit) => {
          await ticks(comesAfter)
          const gone = new AbortController()
          const leaving = abortsAfter === null ? null : ticks(abortsAfter).then(() => gone.abort(gone))
          const asked =
            kind === 'share'
              ? writer.share({ account })
              : writer.hold(account, { signal: gone.signal, onTakenAway: () => {} })
          const turn = await asked.catch((error) => error)
          if (turn === gone || turn instanceof ConflictError) {
            await leaving
            return turn === gone ? 'gave up' : 'refused'
          }
          expect(++inside).toBe(1)
          await ticks(worksFor)
          inside -= 1
          await (succeeds ? turn.finish() : turn.fail())
          await leaving
          return 'served'
        }
        const ends = await Promise.all(visits.map(come))
        for (const [index, end] of ends.entries()) {
          if (end === 'refused') expect(fails).not.toEqual([])
          if (end === 'gave up') expect(visits[index]).toMatchObject({ kind: 'hold', abortsAfter: expect.any(Number) })
        }
        await writer.close()
        expect(connection.inTransaction).toBe(false)
      },
    )
    await fc.assert(property, { numRuns: 150, interruptAfterTimeLimit: 40_000 })
  })

  const hold = async (writer: Writer, account: string, onTakenAway = () => {}) => writer.hold(account, { onTakenAway })

  it('serves the short turns of all, and then the other account, before one account holds again', async () => {
    const writer = new Writer(new Connection(), new AccountChanges())
    const served: string[] = []
    const first = await hold(writer, 'busy')
    const serve = async (name: string, asked: Promise<Turn>) => {
      const turn = await asked
      served.push(name)
      await turn.finish()
    }
    const again = serve('busy holds', hold(writer, 'busy'))
    const other = serve('other holds', hold(writer, 'other'))
    const short = Array.from({ length: 40 }, () => serve('short', writer.share({ account: 'third' })))
    await first.finish()
    await Promise.all([again, other, ...short])
    expect(served).toEqual([...Array(40).fill('short'), 'other holds', 'busy holds'])
  })

  it('lets no stream of short turns keep a hold waiting', async () => {
    const writer = new Writer(new Connection(), new AccountChanges())
    let held = false
    const stream = Array.from({ length: 4 }, async () => {
      while (!held) {
        const turn = await writer.share({ account: 'a' })
        await tick()
        await turn.finish()
      }
    })
    const turn = await hold(writer, 'b')
    held = true
    await turn.finish()
    await Promise.all(stream)
  })

  it('takes the writer away from one who keeps others waiting, and leaves it to one who does not', async () => {
    const writer = new Writer(new Connection(), new AccountChanges())
    let lost = 0
    const turn = await hold(writer, 'a', () => lost++)
    const patient = writer.share({ patient: true }).then((done) => done.finish())
    await delay(1_200)
    expect(lost).toBe(0)
    const waiting = await writer.share({ account: 'b' })
    expect(lost).toBe(1)
    expect(turn.failed).toBe(true)
    await waiting.finish()
    await patient
  })

  it('notes a change of the account with the commit, and none that was undone', async () => {
    const changes = new AccountChanges()
    const writer = new Writer(new Connection(), changes)
    const changed = async (end: 'finish' | 'fail') => {
      const watches = ['a', 'b'].map((account) => changes.watch(account))
      const turn = await writer.share({ account: 'a' })
      await turn[end]()
      for (const watch of watches) watch.stop()
      return watches.map((watch) => watch.changed)
    }
    expect(await changed('fail')).toEqual([false, false])
    expect(await changed('finish')).toEqual([true, false])
  })
})
