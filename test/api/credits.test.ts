import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ApiError } from '../../src/contract/declarations/errors.ts'
import type { Context } from '../../src/records/context.ts'
import {
  type Reservation,
  reserveCredits,
  returnCredits,
  returnReserved,
  settleCredits,
} from '../../src/resources/company/account/credits.ts'
import { times } from '../support/depth.ts'
import { onEachEngine } from '../support/shop.ts'

const FIRST = 1000
const MINUTES_MS = 60_000
let made = 0

describe('Credits', () => {
  onEachEngine((shop) => {
    const newAccount = async () => (await shop.running.another(`credits-${++made}`, { test: true })).accountId
    const within = <Result>(accountId: string, work: (context: Context) => Promise<Result>) => {
      const { pipeline, database } = shop.running.app
      return pipeline.contexts.part(database, { kind: 'job', accountId, jobId: 'job_x' }, [], work, { inTurn: true })
    }
    const reserve = (accountId: string, credits: number) =>
      within(accountId, (context) => reserveCredits(context, { credits, reason: 'web_map' }))
    const entries = (accountId: string) =>
      shop.db.selectFrom('credit_entries').selectAll().where('account_id', '=', accountId).orderBy('id').execute()

    /** The balance, after it was held against the ledger. */
    async function balance(accountId: string): Promise<number> {
      const account = shop.db.selectFrom('accounts').select('credit_balance').where('id', '=', accountId)
      const { credit_balance } = await account.executeTakeFirstOrThrow()
      let sum = 0
      for (const { delta, balance_after } of await entries(accountId)) {
        sum += delta
        expect(balance_after).toBe(sum)
        expect(sum).toBeGreaterThanOrEqual(0)
      }
      expect(credit_balance).toBe(sum)
      return credit_balance
    }
    const isRefusal = (error: unknown) => error instanceof ApiError && error.status === 402

    it('begin with an entry of their own', async () => {
      const accountId = await newAccount()
      expect(await entries(accountId)).toMatchObject([{ kind: 'opening', delta: FIRST, balance_after: FIRST }])
    })

    it('are reserved before the work, and settled after it', async () => {
      const accountId = await newAccount()
      const reservation = await reserve(accountId, 5)
      expect(await balance(accountId)).toBe(FIRST - 5)
      await within(accountId, (context) => settleCredits(context, reservation, 3))
      expect(await balance(accountId)).toBe(FIRST - 3)
      const [, reserved, settled] = await entries(accountId)
      expect(reserved).toMatchObject({ kind: 'reserved', delta: -5, reason: 'web_map' })
      expect(settled).toMatchObject({ kind: 'settled', delta: 2, reason: 'web_map', reservation: reserved!.id })
    })

    it('are never spent twice by calls at the same time', { timeout: 60_000 }, async () => {
      const accountId = await newAccount()
      const results = await Promise.allSettled(Array.from({ length: 64 }, () => reserve(accountId, 100)))
      const reserved = results.filter((one) => one.status === 'fulfilled').map(({ value }) => value)
      const refused = results.filter((one) => one.status === 'rejected').map(({ reason }) => reason)
      expect(reserved).toHaveLength(10)
      expect(refused.every(isRefusal)).toBe(true)
      expect(await balance(accountId)).toBe(0)
      const closing = reserved.flatMap((one) => [
        within(accountId, (context) => returnReserved(context, one.id)),
        within(accountId, (context) => returnCredits(context, one)),
      ])
      await Promise.all(closing)
      expect(await balance(accountId)).toBe(FIRST)
    })

    it('come back when nobody settles them, and are charged when somebody does so later', async () => {
      const accountId = await newAccount()
      const [lost, late] = [await reserve(accountId, 10), await reserve(accountId, 20)]
      const start = Date.now()
      const at = (ms: number) => new Date(start + ms).toISOString().replace(/\.\d+/, '')
      await shop.running.app.advanceClock(accountId, at(10 * MINUTES_MS))
      expect(await balance(accountId)).toBe(FIRST - 30)
      await shop.running.app.advanceClock(accountId, at(20 * MINUTES_MS))
      expect(await balance(accountId)).toBe(FIRST)
      await within(accountId, (context) => settleCredits(context, late, 15))
      expect(await balance(accountId)).toBe(FIRST - 15)
      expect((await entries(accountId)).map(({ kind }) => kind)).toEqual([
        'opening',
        'reserved',
        'reserved',
        'returned',
        'returned',
        'charged',
      ])
      await within(accountId, (context) => returnCredits(context, lost))
      expect(await balance(accountId)).toBe(FIRST - 15)
    })

    it('emit no event and change no account', async () => {
      const accountId = await newAccount()
      const account = () =>
        shop.db.selectFrom('accounts').select('updated_at').where('id', '=', accountId).executeTakeFirstOrThrow()
      const before = await account()
      const events = await shop.eventsOf(async () => {
        await within(accountId, async (context) =>
          settleCredits(context, await reserveCredits(context, { credits: 1, reason: 'web_map' })),
        )
      })
      expect(events).toEqual([])
      expect(await account()).toEqual(before)
    })

    type Step = { act: 'reserve'; credits: number } | { act: 'settle' | 'return'; which: number; used: number }
    const step: fc.Arbitrary<Step> = fc.oneof(
      fc.record({ act: fc.constant('reserve' as const), credits: fc.integer({ min: 1, max: 600 }) }),
      fc.record({
        act: fc.constantFrom('settle' as const, 'return' as const),
        which: fc.nat(),
        used: fc.double({ min: 0, max: 1, noNaN: true }),
      }),
    )

    it('are what a plain count says, whatever is done', { timeout: 60_000 }, async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
          const accountId = await newAccount()
          let expected = FIRST
          const open: { reservation: Reservation; credits: number }[] = []
          for (const one of steps) {
            if (one.act === 'reserve') {
              const reservation = await reserve(accountId, one.credits).catch((error: unknown) => {
                if (isRefusal(error)) return null
                throw error
              })
              expect(reservation !== null).toBe(one.credits <= expected)
              if (reservation) open.push({ reservation, credits: one.credits })
              if (reservation) expected -= one.credits
            } else if (open.length > 0) {
              const [{ reservation, credits }] = open.splice(one.which % open.length, 1) as [(typeof open)[number]]
              const used = one.act === 'settle' ? Math.floor(credits * one.used) : 0
              await within(accountId, (context) =>
                one.act === 'settle' ? settleCredits(context, reservation, used) : returnCredits(context, reservation),
              )
              expected += credits - used
            }
            expect(await balance(accountId)).toBe(expected)
          }
        }),
        { numRuns: times({ gate: 5, deep: 15 }) },
      )
    })
  })
})
