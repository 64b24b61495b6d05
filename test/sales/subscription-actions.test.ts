import { expect, it } from 'vitest'
import { addMonths } from '../../src/contract/values/months.ts'
import { daysAfter, rehearse } from '../support/rehearsal.ts'
import { onGateEngine } from '../support/shop.ts'

const FAILS_AT_RENEWAL = '4000000000000341'

onGateEngine((shop) => {
  it('canceled, it runs to the end of its period, and access with it', async () => {
    const life = await rehearse(shop)
    const { id, current_period_end: end } = await life.subscribe()
    const canceled = await life.act(id, 'cancel', { reason: 'too_expensive' })
    expect(canceled).toMatchObject({
      ...{ status: 'active', canceled: true, ends_at: end, cancellation_reason: 'too_expensive' },
      allowed_actions: ['cancel', 'resume'],
    })
    expect(await life.events(() => life.past(end))).toEqual(['subscription.canceled'])
    expect(await life.subscription(id)).toMatchObject({
      ...{ status: 'canceled', ends_at: end, canceled_at: canceled.canceled_at },
      ...{ cancellation_reason: 'too_expensive', payments_count: 1, allowed_actions: [] },
    })
    expect([await life.hasAccess(id, daysAfter(end, -1)), await life.hasAccess(id, end)]).toEqual([true, false])
    expect(await life.events(() => life.past(addMonths(end, 3)))).toEqual([])
  })

  it('canceled immediately, it ends now, also when it was about to end', async () => {
    const life = await rehearse(shop)
    const { id, current_period_end: end } = await life.subscribe()
    await life.act(id, 'cancel', { reason: 'moved' })
    const ended = await life.act(id, 'cancel', { immediately: true })
    expect(ended).toMatchObject({ status: 'canceled', cancellation_reason: 'moved' })
    expect(ended.ends_at < end).toBe(true)
    expect(await life.hasAccess(id, daysAfter(end, -1))).toBe(false)
  })

  it('resumed before its end, it goes on as if nothing had been', async () => {
    const life = await rehearse(shop)
    const { id, current_period_start: start, current_period_end: end } = await life.subscribe()
    for (const action of ['cancel', 'pause']) {
      await life.act(id, action)
      expect(await life.act(id, 'resume')).toMatchObject({
        ...{ status: 'active', canceled: false, canceled_at: null, ends_at: null, cancellation_reason: null },
        ...{ paused: false, paused_at: null, resumes_at: null, current_period_end: end },
      })
      expect(await life.hasAccess(id, daysAfter(end, 100))).toBe(true)
    }
    expect(await life.pastPeriod(id)).toMatchObject({ current_period_start: end, payments_count: 2 })
    expect((await life.pastPeriod(id)).current_period_start).toBe(addMonths(start, 2))
  })

  it('paused, nothing is charged and access ends with its period; resumed after that, a new period is charged now', async () => {
    const life = await rehearse(shop)
    const { id, current_period_end: end } = await life.subscribe()
    const paused = await life.act(id, 'pause')
    expect(paused).toMatchObject({
      status: 'paused',
      paused: true,
      resumes_at: null,
      allowed_actions: ['cancel', 'resume'],
    })
    expect(await life.events(() => life.past(daysAfter(end, 100)))).toEqual([])
    expect([await life.hasAccess(id, daysAfter(end, -1)), await life.hasAccess(id, end)]).toEqual([true, false])
    const resumed = await life.act(id, 'resume')
    expect(resumed).toMatchObject({ status: 'active', paused: false, payments_count: 2 })
    expect(resumed.current_period_start > daysAfter(end, 100)).toBe(true)
    expect(resumed.current_period_end).toBe(addMonths(resumed.current_period_start, 1))
    expect(await life.hasAccess(id, resumed.current_period_end)).toBe(true)
    expect(await life.pastPeriod(id)).toMatchObject({
      current_period_end: addMonths(resumed.current_period_start, 2),
      payments_count: 3,
    })
  })

  it('resumed after its period with a card that fails, it is past due', async () => {
    const life = await rehearse(shop)
    const { id, current_period_end: end } = await life.subscribe({}, { card: FAILS_AT_RENEWAL })
    await life.act(id, 'pause')
    await life.past(daysAfter(end, 5))
    const resumed = await life.act(id, 'resume')
    expect(resumed).toMatchObject({ status: 'past_due', payments_count: 1 })
    await life.past(daysAfter(resumed.current_period_end, 30))
    expect(await life.subscription(id)).toMatchObject({ status: 'canceled', cancellation_reason: 'unpaid' })
  })

  it('resumes by itself, within its period and after it', async () => {
    const life = await rehearse(shop)
    const { id, current_period_end: end } = await life.subscribe()
    const within = daysAfter(end, -3)
    expect(await life.act(id, 'pause', { resumes_at: within })).toMatchObject({ resumes_at: within })
    expect(await life.events(() => life.past(within))).toEqual(['subscription.resumed'])
    expect(await life.subscription(id)).toMatchObject({ status: 'active', current_period_end: end })
    const after = daysAfter(end, 3)
    await life.act(id, 'pause', { resumes_at: after })
    expect(await life.events(() => life.past(after))).toEqual([
      ...['subscription.resumed', 'order.created', 'order.paid', 'subscription.renewed'],
    ])
    expect(await life.subscription(id)).toMatchObject({ status: 'active', current_period_start: after })
  })

  it('in a trial, a pause does not stop the clock, and nothing is charged during it', async () => {
    const life = await rehearse(shop)
    const { id, trial_ends_at } = await life.subscribe({ trial_period_days: 14, setup_fee_amount: 300 })
    expect((await life.orders(id)).map((order) => order.amount)).toEqual([300])
    await life.act(id, 'pause')
    expect(await life.act(id, 'resume')).toMatchObject({ status: 'trialing', trial_ends_at })
    await life.act(id, 'pause')
    expect(await life.events(() => life.past(daysAfter(trial_ends_at, 5)))).toEqual([])
    const resumed = await life.act(id, 'resume')
    expect(resumed).toMatchObject({ status: 'active', payments_count: 1 })
    expect(resumed.current_period_end).toBe(addMonths(resumed.current_period_start, 1))
    expect((await life.orders(id)).map((order) => order.amount)).toEqual([300, 2000])
  })

  it('begins to be charged at the end of its trial, by a calendar from there', async () => {
    const life = await rehearse(shop)
    const { id, trial_ends_at, current_period_end } = await life.subscribe({ trial_period_days: 10 })
    expect(current_period_end).toBe(trial_ends_at)
    expect(await life.pastPeriod(id)).toMatchObject({
      ...{ status: 'active', payments_count: 1, current_period_start: trial_ends_at },
      current_period_end: addMonths(trial_ends_at, 1),
    })
  })

  it('canceled in its trial, it is never charged', async () => {
    const life = await rehearse(shop)
    const { id, trial_ends_at } = await life.subscribe({ trial_period_days: 10 })
    expect(await life.act(id, 'cancel')).toMatchObject({ status: 'trialing', ends_at: trial_ends_at })
    await life.past(daysAfter(trial_ends_at, 60))
    expect((await life.orders(id)).map((order) => order.amount)).toEqual([0])
    expect(await life.hasAccess(id, trial_ends_at)).toBe(false)
  })

  it('ends after its last installment, and access stays', async () => {
    const life = await rehearse(shop)
    const { id } = await life.subscribe({ installment_count: 3 })
    await life.pastPeriod(id)
    const last = await life.pastPeriod(id)
    expect(last).toMatchObject({
      status: 'active',
      payments_count: 3,
      ends_at: last.current_period_end,
      canceled: false,
    })
    expect(await life.events(() => life.past(addMonths(last.ends_at, 12)))).toEqual(['subscription.canceled'])
    expect(await life.subscription(id)).toMatchObject({
      ...{ status: 'canceled', cancellation_reason: 'completed', payments_count: 3, ends_at: last.ends_at },
    })
    expect(await life.hasAccess(id, daysAfter(last.ends_at, 300))).toBe(true)
  })

  it('renews what is no longer sold, and takes no stock', async () => {
    const life = await rehearse(shop)
    const { id, price_variant, product } = await life.subscribe({ quantity_available: 1 })
    await life.shop.patch(`/price_variants/${price_variant}`, { archived: true })
    await life.shop.patch(`/products/${product}`, { status: 'archived' })
    expect(await life.pastPeriod(id)).toMatchObject({ status: 'active', payments_count: 2 })
    expect(await life.shop.get(`/price_variants/${price_variant}`)).toMatchObject({ quantity_available: 0 })
  })

  it('renews without a charge what a discount makes free', async () => {
    const life = await rehearse(shop)
    const { code, id: discount } = await life.shop.discount({ percent_off: 100, duration: 'forever' })
    const { id } = await life.subscribe({}, { discount_code: code })
    expect(await life.pastPeriod(id)).toMatchObject({ payments_count: 2, discount })
    const [, renewal] = await life.orders(id)
    expect(renewal).toMatchObject({
      ...{ status: 'succeeded', amount: 0, charge: null, processor: 'none', discount, amount_discount: 2000 },
    })
    expect(await life.shop.get(`/discounts/${discount}`)).toMatchObject({ times_redeemed: 1 })
  })
})
