import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { laterBy } from '../../src/contract/values.ts'
import { SALE_EVENTS } from '../../src/resources/sales/payment/events.ts'
import { settleById } from '../../src/resources/sales/payment/jobs.ts'
import { subscriptionDue } from '../../src/resources/sales/subscription/jobs.ts'
import { daysAfter, type Rehearsal, rehearse } from '../support/rehearsal.ts'
import { type Body, onEachEngine } from '../support/shop.ts'

/** The action begins before the renewal in the first rounds, with it in one, and after it in the others. */
const ROUNDS = 8
const FIRST_AFTER = 4
const STEP_MS = 10
/** Of the test provider: the charge waits for a second step of the buyer. */
const WAITS_FOR_BUYER = JSON.stringify({ token: 'second_step' })

describe('A renewal', () => {
  onEachEngine((shop) => {
    const chargesOf = async (life: Rehearsal, id: string) => {
      const orders = await life.orders(id)
      return orders.filter(({ charge }: Body) => charge?.status === 'succeeded')
    }

    it.each(['pause', 'cancel'] as const)(
      'that races %s charges once or not at all',
      { timeout: 60_000 },
      async (action) => {
        const life = await rehearse(shop)
        const outcomes: string[] = []
        for (let round = 0; round < ROUNDS; round++) {
          const { id, current_period_end: end } = await life.subscribe({}, {})
          const acting = async () => {
            await delay(round * STEP_MS)
            return life.shop.api('POST', `/subscriptions/${id}/${action}`, {})
          }
          const [, answer] = await Promise.all([life.to(end), acting()])
          expect(answer.status).toBe(200)
          await life.past(daysAfter(end, 40))
          const charges = await chargesOf(life, id)
          const { status, ends_at, paused_at } = await life.subscription(id)
          const stopped = ends_at ?? paused_at
          expect(charges.filter((order: Body) => order.paid_at > stopped)).toEqual([])
          expect(charges.length).toBeLessThanOrEqual(2)
          outcomes.push(status)
        }
        expect(new Set(outcomes)).toEqual(new Set([action === 'pause' ? 'paused' : 'canceled']))
      },
    )

    it('that several workers have taken charges once', { timeout: 60_000 }, async () => {
      const life = await rehearse(shop)
      const { id, current_period_end: end } = await life.subscribe()
      const { applier } = shop.running.app.pipeline
      const row = await rowOf(life, id)
      await moveClock(life, end)
      const caller = { kind: 'job', accountId: life.shop.accountId, jobId: row.due_job! } as const
      const once = () =>
        applier.part(
          shop.running.app.database,
          caller,
          subscriptionDue.emits,
          (context) =>
            subscriptionDue.work(
              {
                jobId: row.due_job!,
                accountId: context.accountId,
                attempt: 1,
                signal: AbortSignal.timeout(10_000),
                services: context.services,
                transaction: (work) => work(context),
                finish: (work) => work(context),
              },
              { subscription: id, step: 'charge' },
            ),
          { inTurn: true },
        )
      await Promise.all(Array.from({ length: 8 }, once))
      expect(await chargesOf(life, id)).toHaveLength(2)
      expect(await life.subscription(id)).toMatchObject({ payments_count: 2, status: 'active' })
    })

    it.each(['pause', 'cancel'] as const)(
      'that waits for its payment is given up by %s, and late money goes back',
      async (action) => {
        const life = await rehearse(shop)
        const { id, current_period_end: end } = await life.subscribe()
        await life.shop.set('subscriptions', id, { method: WAITS_FOR_BUYER })
        await life.to(end)
        const { paying } = await rowOf(life, id)
        expect(paying).toMatch(/^pay_/)
        const events = await life.events(() => life.act(id, action))
        expect(events).toEqual(['order.failed', `subscription.${action === 'pause' ? 'paused' : 'canceled'}`])
        await arrives(life, paying!)
        const [, renewal] = await life.orders(id)
        expect(renewal.status).toBe('failed')
        expect(await chargesOf(life, id)).toHaveLength(1)
        const charges = await life.shop.db.selectFrom('charges').selectAll().where('payment', '=', paying!).execute()
        expect(charges.map(({ status }) => status)).toEqual(['failed', 'refunded'])
        expect(await life.subscription(id)).toMatchObject({ payments_count: 1, current_period_end: end })
      },
    )

    it('that waits for its payment begins its period when the money comes', async () => {
      const life = await rehearse(shop)
      const { id, current_period_end: end } = await life.subscribe()
      await life.shop.set('subscriptions', id, { method: WAITS_FOR_BUYER })
      await life.to(end)
      expect(await life.subscription(id)).toMatchObject({ status: 'active', payments_count: 1 })
      await arrives(life, (await rowOf(life, id)).paying!)
      expect(await life.subscription(id)).toMatchObject({ payments_count: 2, current_period_start: end })
    })

    it('whose payment does not come within 30 minutes has failed', async () => {
      const life = await rehearse(shop)
      const { id, current_period_end: end } = await life.subscribe()
      await life.shop.set('subscriptions', id, { method: WAITS_FOR_BUYER })
      await life.to(laterBy(end, 31 * 60_000))
      expect(await life.subscription(id)).toMatchObject({ status: 'past_due', payments_count: 1 })
      expect((await rowOf(life, id)).paying).toBe(null)
    })

    it('is not charged by itself while its buyer pays, whatever the day', async () => {
      const life = await rehearse(shop)
      const { id, current_period_end: due } = await life.subscribe({}, { card: '4000000000000341' })
      await life.past(laterBy(daysAfter(due, 1), -10 * 60_000))
      const open = await life.shop.db
        .selectFrom('checkouts')
        .select('id')
        .where('subscription', '=', id)
        .where('status', '=', 'open')
        .executeTakeFirstOrThrow()
      await life.pay(open.id, '4000002500003155')
      await life.past(daysAfter(due, 1))
      expect(await life.orders(id)).toHaveLength(3)
      await arrives(life, (await rowOf(life, id)).paying!)
      expect(await life.subscription(id)).toMatchObject({ status: 'active', payments_count: 2 })
      expect(await life.shop.get(`/checkouts/${open.id}`)).toMatchObject({ status: 'complete' })
    })

    const rowOf = (life: Rehearsal, id: string) =>
      life.shop.db
        .selectFrom('subscriptions')
        .selectAll()
        .where('account_id', '=', life.shop.accountId)
        .where('id', '=', id)
        .executeTakeFirstOrThrow()

    /** Moves the clock without doing what falls due: nobody else works meanwhile. */
    async function moveClock({ shop: { accountId } }: Rehearsal, moment: string): Promise<void> {
      await shop.running.app.database.transaction(({ db }) =>
        db.updateTable('account_clocks').set({ moment }).where('account_id', '=', accountId).execute(),
      )
    }

    /** The money of a payment comes, as its provider reports it. */
    async function arrives(life: Rehearsal, payment: string): Promise<void> {
      const { accountId } = life.shop
      const outcome = { state: 'succeeded', reference: `test_succeeds_${payment}`, method: null } as const
      await shop.running.app.pipeline.applier.part(
        shop.running.app.database,
        { kind: 'provider', accountId, provider: 'test' },
        SALE_EVENTS,
        (context) => settleById(context, payment, outcome),
        { inTurn: true },
      )
    }
  })
})
