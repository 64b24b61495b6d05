import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { expect, it } from 'vitest'
import { daysAfter, type Rehearsal, rehearse } from '../support/rehearsal.ts'
import { type Body, onGateEngine } from '../support/shop.ts'

const FAILS_AT_RENEWAL = '4000000000000341'
const DECLINED = '4000000000000002'

onGateEngine((shop) => {
  const openCheckouts = (life: Rehearsal, subscription: string) =>
    life.shop.db
      .selectFrom('checkouts')
      .selectAll()
      .where('subscription', '=', subscription)
      .where('account_id', '=', life.shop.accountId)
      .where('status', '=', 'open')
      .execute()

  /** A mail as its reader sees it. */
  const letterOf = async (id: string) =>
    PostalMime.parse(await readFile(join(shop.running.dataDirectory, 'outbox', `${id}.eml`)))

  /** A subscription whose first renewal has failed, and the checkout that its buyer was sent. */
  async function unpaid(life: Rehearsal, price = {}): Promise<{ id: string; due: string; checkout: string }> {
    const { id, current_period_end: due } = await life.subscribe(price, { card: FAILS_AT_RENEWAL })
    await life.past(due)
    const [checkout] = await openCheckouts(life, id)
    return { id, due, checkout: checkout!.id }
  }

  it('tries on days 1, 3, 5 and 7, gives up on day 14 and ends it on day 30', { timeout: 60_000 }, async () => {
    const life = await rehearse(shop)
    const { id, current_period_end: due } = await life.subscribe({}, { card: FAILS_AT_RENEWAL })
    const states: [day: number, status: string, tries: number, events: string[]][] = []
    for (let day = 0; day <= 31; day++) {
      const events = await life.events(() => life.past(daysAfter(due, day)))
      const { status } = await life.subscription(id)
      if (events.length > 0) states.push([day, status, (await life.orders(id)).length - 1, events])
    }
    const failed = ['order.created', 'order.failed']
    expect(states).toEqual([
      [0, 'past_due', 1, [...failed, 'subscription.past_due', 'checkout.created']],
      [1, 'past_due', 2, failed],
      [3, 'past_due', 3, failed],
      [5, 'past_due', 4, failed],
      [7, 'past_due', 5, failed],
      [14, 'unpaid', 5, ['subscription.updated']],
      [30, 'canceled', 5, ['checkout.expired', 'subscription.canceled']],
    ])
    const orders = await life.orders(id)
    expect(orders.slice(1).map(({ status, created_at, charge }: Body) => [status, created_at, charge.status])).toEqual(
      [0, 1, 3, 5, 7].map((day) => ['failed', daysAfter(due, day), 'failed']),
    )
    expect(await life.subscription(id)).toMatchObject({
      ...{ canceled: true, cancellation_reason: 'unpaid', ends_at: daysAfter(due, 30), current_period_end: due },
      ...{ payments_count: 1, allowed_actions: [] },
    })
    const daysOfAccess = [0, 10, 20, 29, 30, 31].map((day) => life.hasAccess(id, daysAfter(due, day)))
    expect(await Promise.all(daysOfAccess)).toEqual([true, true, true, true, false, false])
    const mails = (await life.mails()).filter(({ subject }) => subject.includes('failed'))
    expect(mails.map(({ created_at }) => created_at)).toEqual([0, 1, 3, 5, 7].map((day) => daysAfter(due, day)))
    expect(await life.events(() => life.past(daysAfter(due, 100)))).toEqual([])
  })

  it('sends the buyer a link that stays good, with the reason and what follows', async () => {
    const life = await rehearse(shop)
    const { due, checkout } = await unpaid(life)
    await life.past(daysAfter(due, 7))
    const { url } = await life.shop.get(`/checkouts/${checkout}`)
    const mails = (await life.mails()).filter(({ subject }) => subject.includes('failed'))
    expect(mails).toHaveLength(5)
    const letters = await Promise.all(mails.map(({ id }) => letterOf(id)))
    for (const { text, html } of letters) {
      expect([text?.includes(url), html?.includes(url)]).toEqual([true, true])
      expect(text).toContain('The card was declined.')
      expect(text).toContain('$20.00')
    }
    expect(letters[0]!.text).toContain('Next attempt: 1 March 2035')
    expect(letters.at(-1)!.text).toContain('We will not try again automatically.')
  })

  it('goes on where it was when a card is entered in time, which is charged from then on', async () => {
    const life = await rehearse(shop)
    const { id, due, checkout } = await unpaid(life)
    await life.past(daysAfter(due, 4))
    expect(await openCheckouts(life, id)).toHaveLength(1)
    expect(await life.shop.get(`/checkouts/${checkout}`)).toMatchObject({
      ...{ status: 'open', mode: 'subscription', total: 2000, subscription: id, expires_at: daysAfter(due, 30) },
    })
    const events = await life.events(() => life.pay(checkout, '4242424242424242'))
    expect(events).toEqual(['order.created', 'order.paid', 'subscription.renewed', 'checkout.completed'])
    const paid = await life.subscription(id)
    expect(paid).toMatchObject({ status: 'active', current_period_start: due, payments_count: 2 })
    expect(await life.pastPeriod(id)).toMatchObject({ status: 'active', current_period_start: paid.current_period_end })
    expect((await life.orders(id)).map((order) => order.status)).toEqual([
      ...['succeeded', 'failed', 'failed', 'failed', 'succeeded', 'succeeded'],
    ])
  })

  it('begins the period now when the one that was due is over', async () => {
    const life = await rehearse(shop)
    const { id, due, checkout } = await unpaid(life, { recurring_interval: 'week' })
    await life.past(daysAfter(due, 20))
    expect(await life.subscription(id)).toMatchObject({ status: 'unpaid', allowed_actions: ['cancel'] })
    await life.pay(checkout, '4242424242424242')
    const paid = await life.subscription(id)
    expect(paid.status).toBe('active')
    expect(paid.current_period_start > daysAfter(due, 20)).toBe(true)
    expect(paid.current_period_end).toBe(daysAfter(paid.current_period_start, 7))
    expect(await life.pastPeriod(id)).toMatchObject({ payments_count: 3, status: 'active' })
  })

  it('takes a declined card as one more try, and the same checkout again', async () => {
    const life = await rehearse(shop)
    const { id, due, checkout } = await unpaid(life)
    const events = await life.events(() => life.pay(checkout, DECLINED))
    expect(events).toEqual(['order.created', 'order.failed'])
    expect(await life.subscription(id)).toMatchObject({ status: 'past_due', payments_count: 1 })
    await life.past(daysAfter(due, 1))
    expect(await life.orders(id)).toHaveLength(4)
    await life.pay(checkout, '4242424242424242')
    expect(await life.subscription(id)).toMatchObject({ status: 'active', payments_count: 2 })
  })

  it('closes the checkout when the period is paid without it', async () => {
    const life = await rehearse(shop)
    const { id, due, checkout } = await unpaid(life)
    await life.shop.set('subscriptions', id, { method: JSON.stringify({ token: 'succeeds' }) })
    const events = await life.events(() => life.past(daysAfter(due, 1)))
    expect(events).toEqual(['order.created', 'order.paid', 'checkout.expired', 'subscription.renewed'])
    expect(await life.subscription(id)).toMatchObject({ status: 'active', current_period_start: due })
    await expect(life.pay(checkout)).rejects.toThrow('This checkout is expired and cannot be paid.')
  })

  it('fails when no card is saved, and can be paid all the same', async () => {
    const life = await rehearse(shop)
    const { id, current_period_end: due } = await life.subscribe()
    await life.shop.set('subscriptions', id, { method: null })
    await life.past(due)
    const [, failed] = await life.orders(id)
    expect(failed.charge).toMatchObject({ status: 'failed', failure_message: 'No card is saved.' })
    const [checkout] = await openCheckouts(life, id)
    await life.pay(checkout!.id)
    expect(await life.pastPeriod(id)).toMatchObject({ status: 'active', payments_count: 3 })
  })

  it('follows a trial whose first charge fails, too', async () => {
    const life = await rehearse(shop)
    const price = { trial_period_days: 14, setup_fee_amount: 500 }
    const { id, trial_ends_at } = await life.subscribe(price, { card: FAILS_AT_RENEWAL })
    await life.past(trial_ends_at)
    expect(await life.subscription(id)).toMatchObject({ status: 'past_due', payments_count: 0 })
    await life.past(daysAfter(trial_ends_at, 30))
    expect(await life.subscription(id)).toMatchObject({ status: 'canceled', payments_count: 0 })
  })
})
