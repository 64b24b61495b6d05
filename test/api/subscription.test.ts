import { expect, it } from 'vitest'
import { priceForSale } from '../support/sell.ts'
import { type Body, onEachEngine } from '../support/shop.ts'

onEachEngine((shop) => {
  const subscribe = async (price: object = {}, email = 'member@example.com'): Promise<Body> => {
    const monthly = { amount: 900, billing_type: 'subscription', recurring_interval: 'month', trial_period_days: 7 }
    const { id } = await priceForSale(shop, { ...monthly, ...price })
    const done = await shop.post('/checkouts', { line_items: [{ price_variant: id, quantity: 2 }], email })
    return shop.get(`/subscriptions/${done.subscription}`)
  }

  it('is shown with its terms, its references and what can be done with it', async () => {
    const { id, ...shown } = await subscribe()
    expect(shown).toMatchObject({
      ...{ object: 'subscription', status: 'trialing', quantity: 2, amount: 1800, currency: 'usd' },
      ...{ discount: null, canceled: false, paused: false, ends_at: null, payments_count: 0, metadata: {} },
      ...{ current_period_end: shown.trial_ends_at, allowed_actions: ['cancel', 'pause'] },
    })
    expect(await shop.get(`/subscriptions/${id}?expand=customer,price_variant,product,order,discount`)).toMatchObject({
      ...{ customer: { email: 'member@example.com' }, price_variant: { amount: 900 }, product: { status: 'active' } },
      ...{ order: { subscription: id, amount: 0 }, discount: null },
    })
    for (const hidden of ['terms', 'anchor', 'method', 'provider', 'due_job', 'paying'])
      expect(shown).not.toHaveProperty(hidden)
  })

  it('is listed by status, customer and price', async () => {
    const [one, other] = [await subscribe({}, 'one@example.com'), await subscribe({}, 'other@example.com')]
    await shop.post(`/subscriptions/${other.id}/cancel`, { immediately: true })
    expect(await shop.listed(`/subscriptions?customer=${one.customer}`)).toEqual([one.id])
    expect(await shop.listed(`/subscriptions?price_variant=${other.price_variant}`)).toEqual([other.id])
    expect(await shop.listed('/subscriptions?status=canceled')).toEqual([other.id])
    expect(await shop.listed(`/subscriptions?status[]=canceled&status[]=trialing&customer=${one.customer}`)).toEqual([
      one.id,
    ])
    expect(await shop.listed('/subscriptions?ends_at[lte]=2100-01-01')).toEqual([other.id])
    expect(await shop.refusal('GET', '/subscriptions?status=ended')).toEqual([400, 'parameter_invalid', 'status'])
  })

  it('refuses a time to resume that is past, a reason that is too long, and names what is possible', async () => {
    const { id } = await subscribe()
    expect(await shop.refusal('POST', `/subscriptions/${id}/pause`, { resumes_at: '2020-01-01T00:00:00Z' })).toEqual({
      resumes_at: ['must be in the future'],
    })
    expect(await shop.refusal('POST', `/subscriptions/${id}/cancel`, { reason: 'x'.repeat(501) })).toEqual({
      reason: ['is too long (maximum is 500 characters)'],
    })
    const { body } = await shop.api('POST', `/subscriptions/${id}/resume`)
    expect(body.error.message).toBe('Cannot resume a subscription that is trialing. Allowed: cancel, pause.')
    await shop.post(`/subscriptions/${id}/cancel`)
    const again = await shop.api('POST', `/subscriptions/${id}/cancel`)
    expect(again.body.error).toMatchObject({ code: 'invalid_state', message: /immediately: true ends it now/ })
    expect(await shop.refusal('POST', '/subscriptions/sub_01k9z6v8q2f3x7c5m1n4b0r8ta/cancel')).toEqual([
      ...[404, 'resource_missing'],
    ])
  })

  it('says in its events what changed', async () => {
    const { id } = await subscribe()
    const events = await shop.eventsOf(async () => {
      await shop.post(`/subscriptions/${id}/cancel`, { reason: 'no_time' })
      await shop.post(`/subscriptions/${id}/resume`)
      await shop.post(`/subscriptions/${id}/pause`)
      await shop.post(`/subscriptions/${id}/cancel`)
    })
    // Its receipt is mailed meanwhile.
    const own = events.filter(({ type }) => type.startsWith('subscription.'))
    expect(own.map(({ type }) => type)).toEqual([
      ...['subscription.updated', 'subscription.resumed', 'subscription.paused', 'subscription.canceled'],
    ])
    expect(own[0]!.previous).toMatchObject({
      ...{ canceled: false, ends_at: null, cancellation_reason: null, allowed_actions: ['cancel', 'pause'] },
    })
  })

  it('keeps its customer, its product and its price from being deleted', async () => {
    const { customer, product, price_variant } = await subscribe()
    for (const path of [`/customers/${customer}`, `/products/${product}`, `/price_variants/${price_variant}`])
      expect(await shop.refusal('DELETE', path)).toEqual([400, 'resource_in_use'])
  })
})
