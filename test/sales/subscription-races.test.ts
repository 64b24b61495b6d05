import { describe, expect, it } from 'vitest'
import { laterBy } from '../../src/contract/values/values.ts'
import type { Context } from '../../src/records/context.ts'
import type { JobContext } from '../../src/records/job.ts'
import { SALE_EVENTS } from '../../src/resources/sales/payment/events.ts'
import { settleById } from '../../src/resources/sales/payment/settle.ts'
import { subscriptionDue } from '../../src/resources/sales/subscription/jobs.ts'
import { times } from '../support/depth.ts'
import { daysAfter, type Rehearsal, rehearse } from '../support/rehearsal.ts'
import { type Body, onEachEngine } from '../support/shop.ts'

const ROUNDS = times({ gate: 2, deep: 6 })
/** Of the test provider: the charge waits for a second step of the buyer. */
const WAITS_FOR_BUYER = JSON.stringify({ token: 'second_step' })

/** The context of a job whose one transaction is open already. */
function jobContext(context: Context, jobId: string): JobContext {
  const { accountId, services } = context
  const transaction: JobContext['transaction'] = (work) => work(context)
  const finish: JobContext['finish'] = (work) => work(context)
  return {
    jobId,
    accountId,
    attempt: 1,
    signal: AbortSignal.timeout(10_000),
    services,
    warn() {},
    read: transaction,
    transaction,
    finish,
  }
}

describe('A renewal', () => {
  onEachEngine((shop) => {
    const chargesOf = async (life: Rehearsal, id: string) => {
      const orders = await life.orders(id)
      return orders.filter(({ charge }: Body) => charge?.status === 'succeeded')
    }

    it.each(['pause', 'cancel'])('that races %s charges once or not at all', { timeout: 60_000 }, async (action) => {
      const life = await rehearse(shop)
      for (let round = 0; round < ROUNDS; round++) {
        const { id, current_period_end: end } = await life.subscribe()
        const job = (await rowOf(life, id)).due_job!
        await moveClock(life, end)
        const act = () => life.shop.api('POST', `/subscriptions/${id}/${action}`)
        const renew = () => carryOut(life, { id, job })
        const racers = round % 2 === 0 ? [act, renew, renew] : [renew, renew, act]
        await Promise.all(racers.map((race) => race()))
        const stopped = await life.subscription(id)
        expect(stopped.allowed_actions).not.toContain('pause')
        await life.past(daysAfter(end, 40))
        const charges = await chargesOf(life, id)
        expect(charges.length).toBe(stopped.payments_count)
        expect(charges.length).toBeLessThanOrEqual(2)
        const last = stopped.ends_at ?? stopped.paused_at
        expect(charges.filter((order: Body) => order.paid_at > last)).toEqual([])
        await life.act(id, 'cancel', { immediately: true }).catch(() => undefined)
      }
    })

    it('that several workers have taken charges once', { timeout: 60_000 }, async () => {
      const life = await rehearse(shop)
      const { id, current_period_end: end } = await life.subscribe()
      const job = (await rowOf(life, id)).due_job!
      await moveClock(life, end)
      await Promise.all(Array.from({ length: 8 }, () => carryOut(life, { id, job })))
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

    /** Charges the next period as a worker does that has taken the job. */
    function carryOut({ shop: { accountId } }: Rehearsal, { id, job }: { id: string; job: string }): Promise<void> {
      const { app } = shop.running
      const caller = { kind: 'job', accountId, jobId: job } as const
      const renew = (context: Context) =>
        subscriptionDue.work(jobContext(context, job), { subscription: id, step: 'charge' })
      return app.pipeline.contexts.part(app.database, caller, subscriptionDue.emits, renew, { inTurn: true })
    }

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
      await shop.running.app.pipeline.contexts.part(
        shop.running.app.database,
        { kind: 'provider', accountId, provider: 'test' },
        SALE_EVENTS,
        (context) => settleById(context, payment, outcome),
        { inTurn: true },
      )
    }
  })
})
