import { describe, expect, it } from 'vitest'
import type { Context } from '../../src/records/context.ts'
import type { JobContext } from '../../src/records/job.ts'
import { recovery } from '../../src/resources/dashboard/recovery.ts'
import { subscriptionDue } from '../../src/resources/sales/subscription/jobs.ts'
import { type DashboardUser, ownerOf } from '../support/dashboard.ts'
import { daysAfter, type Rehearsal, rehearse } from '../support/rehearsal.ts'
import { DECLINED, pay, priceForSale } from '../support/sell.ts'
import { type Body, onEachEngine, onGateEngine } from '../support/shop.ts'

const FAILS_AT_RENEWAL = '4000000000000341'
const SUCCEEDS = JSON.stringify({ token: 'succeeds' })
const WAITS_FOR_BUYER = JSON.stringify({ token: 'second_step' })

/** A subscription whose first renewal has failed, and somebody who looks after the shop. */
async function unpaid(life: Rehearsal, price = {}): Promise<{ id: string; due: string; owner: DashboardUser }> {
  const { id, current_period_end: due } = await life.subscribe(price, { card: FAILS_AT_RENEWAL })
  await life.past(due)
  return { id, due, owner: await ownerOf(life.shop) }
}

/** The checkout that a payment link leads to. */
const checkoutIn = (url: string) => /co_\w+?(?=_secret)/.exec(url)![0]

const succeeded = async (life: Rehearsal, id: string) =>
  (await life.orders(id)).filter(({ status }: Body) => status === 'succeeded')

describe('A payment that failed', () => {
  onGateEngine((shop) => {
    it('says why, how often it was tried and when it is tried next, until it is paid', async () => {
      const life = await rehearse(shop)
      const { id, due } = await unpaid(life)
      const why = { last_payment_error: 'The card was declined.', last_payment_error_code: 'card_declined' }
      const seen: [number, number, string | null][] = []
      for (const day of [0, 1, 3, 5, 7, 14]) {
        if (day > 0) await life.past(daysAfter(due, day))
        const now = await life.subscription(id)
        expect(now).toMatchObject({ ...why, amount_due: 2000, unpaid_until: daysAfter(due, 30) })
        seen.push([day, now.failed_payments_count, now.next_payment_attempt_at])
      }
      expect(seen).toEqual([
        [0, 1, daysAfter(due, 1)],
        [1, 2, daysAfter(due, 3)],
        [3, 3, daysAfter(due, 5)],
        [5, 4, daysAfter(due, 7)],
        [7, 5, null],
        [14, 5, null],
      ])
      const [, failed] = await life.orders(id)
      expect(failed.charge).toMatchObject({ failure_code: 'card_declined', failure_message: 'The card was declined.' })
      const { url } = await (await ownerOf(life.shop)).post('/payment_links', { subscription: id })
      await life.pay(checkoutIn(url))
      expect(await life.subscription(id)).toMatchObject({
        ...{ status: 'active', amount_due: null, failed_payments_count: 0, unpaid_until: null },
        ...{ last_payment_error: null, last_payment_error_code: null },
      })
    })

    it('has one payment link, made when it is needed', async () => {
      const life = await rehearse(shop)
      const { id, owner } = await unpaid(life)
      const [one, two] = [
        await owner.post('/payment_links', { subscription: id }),
        await owner.post('/payment_links', { subscription: id }),
      ]
      expect(one).toMatchObject({ pays: 'subscription', url: expect.stringContaining('/checkout/co_') })
      expect(two.url).toBe(one.url)
      const [, failed] = await life.orders(id)
      expect((await owner.post('/payment_links', { order: failed.id })).url).toBe(one.url)
    })

    it('of a purchase is paid at its checkout, or at one that is made once when that is closed', async () => {
      const life = await rehearse(shop)
      const owner = await ownerOf(life.shop)
      const price = await priceForSale(life.shop, { amount: 1500 })
      const open = await life.shop.post('/checkouts', {
        line_items: [{ price_variant: price.id, quantity: 2 }],
        email: 'ada@example.com',
      })
      await pay(life.shop, open.id, { card: DECLINED })
      const [order] = (await life.shop.get('/orders?status=failed')).data
      expect((await owner.post('/payment_links', { order: order.id })).url).toBe(open.url)
      await life.past(open.expires_at)
      const made = await owner.post('/payment_links', { order: order.id })
      expect(made.url).not.toBe(open.url)
      expect((await owner.post('/payment_links', { order: order.id })).url).toBe(made.url)
      const retry = checkoutIn(made.url)
      expect(await life.shop.get(`/checkouts/${retry}`)).toMatchObject({ total: 3000, email: 'ada@example.com' })
      await pay(life.shop, retry)
      const paid = (await life.shop.get('/orders?status=succeeded')).data[0]
      expect(paid.recovered_by).toBe('second_try')
      expect(await owner.try('POST', '/payment_links', { order: order.id })).toEqual([
        400,
        { error: expect.objectContaining({ message: expect.stringContaining(`paid since then: order ${paid.id}`) }) },
      ])
    })

    it('is mailed again when somebody asks, about exactly one thing', async () => {
      const life = await rehearse(shop)
      const { id, owner } = await unpaid(life)
      const before = (await life.mails()).length
      const mail = await owner.post('/payment_reminders', { subscription: id })
      expect(mail.subject).toContain('failed')
      expect(await life.mails()).toHaveLength(before + 1)
      const nobody = await owner.try('POST', '/payment_reminders', {})
      expect([nobody[0], nobody[1].error.code]).toEqual([400, 'parameter_missing'])
      const both = await owner.try('POST', '/payment_reminders', { subscription: id, order: id })
      expect(both[0]).toBe(422)
    })

    it('of another account is as unknown as one that does not exist', async () => {
      const life = await rehearse(shop)
      const { id } = await unpaid(life)
      const stranger = await ownerOf((await rehearse(shop)).shop)
      for (const path of ['/payment_links', '/payment_reminders', '/payment_attempts']) {
        const [own, none] = [
          await stranger.try('POST', path, { subscription: id }),
          await stranger.try('POST', path, { subscription: 'sub_01k9z6v8q2f3x7c5m1n4b0r8ta' }),
        ]
        expect([own[0], own[1].error.code]).toEqual([404, 'resource_missing'])
        expect([none[0], none[1].error.code]).toEqual([404, 'resource_missing'])
      }
    })
  })
})

describe('Charge now', () => {
  onEachEngine((shop) => {
    const chargeNow = (owner: DashboardUser, subscription: string) =>
      owner.try('POST', '/payment_attempts', { subscription })

    it('is one more try: the schedule stays, and the buyer is not mailed', async () => {
      const life = await rehearse(shop)
      const { id, due, owner } = await unpaid(life)
      const toBuyer = async () => (await life.mails()).filter(({ customer }) => customer !== null)
      const mails = (await toBuyer()).length
      expect(await chargeNow(owner, id)).toEqual([
        200,
        expect.objectContaining({
          ...{ status: 'past_due', failed_payments_count: 2, next_payment_attempt_at: daysAfter(due, 1) },
        }),
      ])
      expect(await toBuyer()).toHaveLength(mails)
      await life.past(daysAfter(due, 1))
      expect(await life.subscription(id)).toMatchObject({ failed_payments_count: 3 })
      expect(await toBuyer()).toHaveLength(mails + 1)
      await life.shop.set('subscriptions', id, { method: SUCCEEDS })
      const paid = await chargeNow(owner, id)
      expect(paid[1]).toMatchObject({ status: 'active', current_period_start: due, failed_payments_count: 0 })
      const orders = await life.orders(id)
      expect(orders.at(-1)).toMatchObject({ status: 'succeeded', recovered_by: 'charge_now' })
      await life.past(daysAfter(due, 8))
      expect(await succeeded(life, id)).toHaveLength(2)
    })

    it('charges once, however many ask at once and whatever falls due meanwhile', { timeout: 60_000 }, async () => {
      const life = await rehearse(shop)
      const { id, due, owner } = await unpaid(life)
      await life.shop.set('subscriptions', id, { method: SUCCEEDS })
      const { due_job: job } = await rowOf(life, id)
      await moveClock(life, daysAfter(due, 1))
      const answers = await Promise.all([
        ...Array.from({ length: 6 }, () => chargeNow(owner, id)),
        carryOut(life, { id, job: job! }),
        carryOut(life, { id, job: job! }),
      ])
      expect(await succeeded(life, id)).toHaveLength(2)
      expect(await life.subscription(id)).toMatchObject({ status: 'active', payments_count: 2 })
      const asked = answers.filter((answer) => Array.isArray(answer))
      expect(asked.filter(([status]) => status === 200).length).toBeLessThanOrEqual(1)
      for (const [status, body] of asked.filter(([code]) => code !== 200))
        expect([status, body.error.code]).toEqual([400, 'invalid_state'])
    })

    it('waits for no second payment while one is under way, by whomever', async () => {
      const life = await rehearse(shop)
      const { id, owner } = await unpaid(life)
      await life.shop.set('subscriptions', id, { method: WAITS_FOR_BUYER })
      const first = await chargeNow(owner, id)
      expect(first[1]).toMatchObject({ status: 'past_due', failed_payments_count: 1, next_payment_attempt_at: null })
      const second = await chargeNow(owner, id)
      expect([second[0], second[1].error.message]).toEqual([400, 'This subscription is already being paid.'])
      const orders = await life.orders(id)
      expect(orders.filter(({ status }: Body) => status === 'pending')).toHaveLength(1)
    })

    it('is refused when nothing is unpaid, without a card, and after twelve tries', async () => {
      const life = await rehearse(shop)
      const { id } = await life.subscribe()
      const owner = await ownerOf(life.shop)
      const paid = await chargeNow(owner, id)
      expect([paid[0], paid[1].error.message]).toEqual([400, 'This subscription has nothing left to pay.'])
      const late = await unpaid(life)
      await life.shop.set('subscriptions', late.id, { failed_payments_count: 12 })
      expect((await chargeNow(owner, late.id))[1].error.message).toContain('tried 12 times')
      await life.shop.set('subscriptions', late.id, { failed_payments_count: 1, method: null })
      expect((await chargeNow(owner, late.id))[1].error.message).toContain('No card is saved')
    })

    const rowOf = (life: Rehearsal, id: string) =>
      life.shop.db.selectFrom('subscriptions').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

    /** Charges the next period as a worker does that has taken the job. */
    async function carryOut({ shop: { accountId } }: Rehearsal, { id, job }: { id: string; job: string }) {
      const { app } = shop.running
      const caller = { kind: 'job', accountId, jobId: job } as const
      const work = (context: Context) => {
        const job = { finish: (done: (own: Context) => Promise<void>) => done(context) }
        return subscriptionDue.work(job as unknown as JobContext, { subscription: id, step: 'charge' })
      }
      await app.pipeline.contexts.part(app.database, caller, subscriptionDue.emits, work, { inTurn: true })
    }

    async function moveClock({ shop: { accountId } }: Rehearsal, moment: string): Promise<void> {
      await shop.running.app.database.transaction(({ db }) =>
        db.updateTable('account_clocks').set({ moment }).where('account_id', '=', accountId).execute(),
      )
    }
  })
})

describe('The figures of recovery', () => {
  onEachEngine((shop) => {
    it('sum what is at risk, what came back and what was lost, by currency and to the cent', async () => {
      const life = await rehearse(shop)
      const blank = { recovered: [], lost: [], periods_recovered: 0, periods_lost: 0 }
      const owner = await ownerOf(life.shop)
      const { windows } = await owner.read(recovery)
      expect(windows).toEqual([30, 90].map((days) => ({ days, from: expect.any(String), ...blank })))
      const prices = [{ amount: 1999 }, { amount: 700, currency: 'eur' }, { amount: 5050 }]
      const all: Body[] = []
      for (const price of prices) all.push(await life.subscribe(price, { card: FAILS_AT_RENEWAL }))
      const [kept, euros, lost] = all
      const invoice = await overdue(life)
      await life.past(all[0].current_period_end)
      expect((await owner.read(recovery)).at_risk).toEqual([
        { currency: 'usd', amount: 1999 + 5050 + 3300, subscriptions: 2, invoices: 1 },
        { currency: 'eur', amount: 700, subscriptions: 1, invoices: 0 },
      ])
      await life.shop.set('subscriptions', kept.id, { method: SUCCEEDS })
      await owner.post('/payment_attempts', { subscription: kept.id })
      const link = await owner.post('/payment_links', { subscription: euros.id })
      await life.pay(checkoutIn(link.url))
      const bill = await life.shop.post('/checkouts', { invoice: invoice.id })
      await life.pay(bill.id)
      await life.act(lost.id, 'cancel')
      const [order] = (await life.shop.get(`/orders?subscription=${kept.id}&limit=1`)).data
      await life.shop.post('/refunds', { order: order.id, amount: 99 })
      const found = await owner.read(recovery)
      expect(found.at_risk).toEqual([])
      const figures = {
        recovered: [
          { currency: 'usd', recovered_by: 'charge_now', amount: 1900, orders: 1 },
          { currency: 'usd', recovered_by: 'payment_link', amount: 3300, orders: 1 },
          { currency: 'eur', recovered_by: 'payment_link', amount: 700, orders: 1 },
        ],
        lost: [{ currency: 'usd', amount: 5050, subscriptions: 1 }],
        ...{ periods_recovered: 2, periods_lost: 1 },
      }
      expect(found.windows).toMatchObject([figures, figures])
      await life.past(daysAfter(found.at, 31))
      const later = (await owner.read(recovery)).windows
      expect(later[0]?.lost).toEqual([])
      expect(later[1]).toMatchObject({ lost: figures.lost })
    })

    /** An invoice that nobody has paid by its due date. */
    async function overdue(life: Rehearsal): Promise<Body> {
      const { id } = await priceForSale(life.shop, { amount: 3300 })
      const { at } = await (await ownerOf(life.shop)).read(recovery)
      return life.shop.post('/invoices', {
        price_variant: id,
        email_address: 'b@example.com',
        due_at: daysAfter(at, 1),
      })
    }
  })
})
