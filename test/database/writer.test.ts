import { setTimeout as delay, setImmediate as tick } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AccountChanges } from '../../src/database/sqlite/account-changes.ts'
import { Writer, type WriterConnection } from '../../src/database/sqlite/writer.ts'
import type { WriterLease } from '../../src/database/sqlite/writer-lease.ts'
import { times } from '../support/depth.ts'

type Mishap = 'locked' | 'refused' | 'undone'

/** A fake connection that only counts its commands. `mishaps` maps the numbers of commands to their failures. */
class Connection implements WriterConnection {
  inTransaction = false
  commands = 0
  mishaps: Map<number, Mishap>

  constructor(mishaps: [command: number, mishap: Mishap][] = []) {
    this.mishaps = new Map(mishaps)
  }

  command(sql: string): void {
    const mishap = this.mishaps.get(++this.commands)
    if (mishap === 'undone') this.inTransaction = false
    if (mishap) throw Object.assign(new Error(mishap), { errcode: mishap === 'locked' ? 5 : 10 })
    if (sql === 'begin immediate') expect(this.inTransaction).toBe(false)
    else expect(this.inTransaction).toBe(true)
    this.inTransaction = sql !== 'commit' && sql !== 'rollback'
  }
}

const ticks = async (count: number) => {
  for (let turn = 0; turn < count; turn++) await tick()
}

const LONGEST_HOLD_MS = 3

const visit = fc.record({
  kind: fc.constantFrom('share', 'patient', 'hold', 'hold until it is taken away'),
  account: fc.constantFrom('a', 'b', 'c'),
  comesAfter: fc.nat(6),
  abortsAfter: fc.option(fc.nat(12)),
  worksFor: fc.nat(3),
  succeeds: fc.boolean(),
})
type Visit = typeof visit extends fc.Arbitrary<infer Value> ? Value : never

const mishap = fc.tuple(fc.integer({ min: 1, max: 30 }), fc.constantFrom<Mishap>('locked', 'refused', 'undone'))

/** Waits for a turn with the writer, and resolves with its outcome. `inside` contains the visits that hold a turn. */
async function come(writer: Writer, inside: Set<Visit>, one: Visit): Promise<string> {
  const { kind, account, comesAfter, abortsAfter, worksFor, succeeds } = one
  await ticks(comesAfter)
  const gone = new AbortController()
  const leaving = abortsAfter === null ? null : ticks(abortsAfter).then(() => gone.abort('gave up'))
  const taken = Promise.withResolvers<void>()
  const onTakenAway = () => {
    inside.delete(one)
    taken.resolve()
  }
  const asked = kind.startsWith('hold')
    ? writer.hold(account, { signal: gone.signal, onTakenAway })
    : writer.share({ account, lowPriority: kind === 'patient' })
  try {
    const turn = await asked
    inside.add(one)
    expect(inside.size).toBe(1)
    if (kind === 'hold until it is taken away') await taken.promise
    else await ticks(worksFor)
    inside.delete(one)
    await (succeeds ? turn.finish() : turn.fail())
    return 'served'
  } catch (error) {
    return error === 'gave up' ? 'gave up' : 'refused'
  } finally {
    await leaving
  }
}

describe('the writer', () => {
  it('settles everyone who comes, whoever gives up, fails, is refused or loses the writer', {
    timeout: 60_000,
  }, async () => {
    const property = fc.asyncProperty(
      fc.array(visit, { maxLength: 12 }),
      fc.array(mishap, { maxLength: 4 }),
      fc.constantFrom(0, 5),
      async (visits, mishaps, lockWaitMs) => {
        const connection = new Connection(mishaps)
        const options = { lockWaitMs, longestHoldMs: LONGEST_HOLD_MS }
        const writer = new Writer(connection, new AccountChanges(), options)
        // Constant impatient turns make sure that holds which last too long are revoked.
        let over = false
        const impatient = (async () => {
          while (!over)
            await writer
              .share()
              .then(
                (turn) => turn.finish(),
                () => {},
              )
              .catch(() => {})
              .then(tick)
        })()
        const inside = new Set<Visit>()
        const ends = await Promise.all(visits.map((one) => come(writer, inside, one)))
        over = true
        await impatient
        for (const [index, end] of ends.entries()) {
          if (end === 'refused') expect(mishaps).not.toEqual([])
          if (end === 'gave up') {
            const { kind, abortsAfter } = visits[index]!
            expect([kind.startsWith('hold'), abortsAfter]).toEqual([true, expect.any(Number)])
          }
        }
        connection.mishaps.clear()
        const last = await writer.share({ account: 'a' })
        await last.finish()
        await writer.close()
        expect(connection.inTransaction).toBe(false)
      },
    )
    await fc.assert(property, { numRuns: times({ gate: 60, deep: 200 }), interruptAfterTimeLimit: 40_000 })
  })

  it('works again after every kind of mishap at every command', async () => {
    for (const kind of ['locked', 'refused', 'undone'] as const)
      for (let command = 1; command <= 12; command++) {
        const connection = new Connection([[command, kind]])
        const writer = new Writer(connection, new AccountChanges())
        const turn = async (end: 'finish' | 'fail', asked: Promise<WriterLease>) => (await asked)[end]()
        const all = await Promise.allSettled([
          turn('finish', writer.share({ account: 'a' })),
          turn('fail', writer.share({ account: 'b' })),
          turn('finish', writer.share()),
          turn('fail', writer.hold('c', { onTakenAway: () => {} })),
        ])
        expect(all).toHaveLength(4)
        connection.mishaps.clear()
        await turn('finish', writer.share({ account: 'a' }))
        await turn('finish', writer.hold('a', { onTakenAway: () => {} }))
        expect(connection.inTransaction).toBe(false)
      }
  })

  it('waits for the lock of another process, and lets who waits with it leave', async () => {
    const locked = Array.from({ length: 20 }, (_, index): [number, Mishap] => [index + 1, 'locked'])
    const writer = new Writer(new Connection(locked), new AccountChanges(), { lockWaitMs: 60_000 })
    const leaving = new AbortController()
    const left = writer.hold('a', { signal: leaving.signal, onTakenAway: () => {} }).catch((error) => error)
    const served = writer.share({ account: 'b' }).then((turn) => turn.finish())
    await ticks(3)
    leaving.abort('left')
    expect(await left).toBe('left')
    await served
  })

  const hold = async (writer: Writer, account: string, onTakenAway = () => {}) => writer.hold(account, { onTakenAway })

  it('serves the short turns of all, and then the other account, before one account holds again', async () => {
    const writer = new Writer(new Connection(), new AccountChanges())
    const served: string[] = []
    const first = await hold(writer, 'busy')
    const serve = async (name: string, asked: Promise<WriterLease>) => {
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
    const patient = writer.share({ lowPriority: true }).then((done) => done.finish())
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
