import { describe, expect, it } from 'vitest'
import type { Call } from '../../src/pages/dashboard/kit/call.ts'
import { view } from '../../src/pages/dashboard/kit/visit.ts'
import type { Shown } from '../../src/resources/nouns.ts'

/** Compiled, never called: each expected error is one that the compiler must find. */
async function asksThatDoNotCompile(ask: Call): Promise<void> {
  const order = (await ask('GET /orders/{id}', { path: { id: 'ord_1' }, query: { expand: ['customer'] } })).body
  const name: string | null = order.customer.name
  // @ts-expect-error: the answer has no such field.
  order.amount_returned
  // @ts-expect-error: without expand, the discount is an id.
  order.discount?.code
  // @ts-expect-error: there is no such operation.
  await ask('GET /purchases')
  // @ts-expect-error: the path names a row.
  await ask('GET /orders/{id}')
  // @ts-expect-error: the list has no such filter.
  await ask('GET /refunds', { query: { purchase: 'ord_1' } })
  // @ts-expect-error: refunds are in no such status.
  await ask('GET /refunds', { query: { status: 'returned' } })
  // @ts-expect-error: the body has no such field.
  await ask('POST /refunds', { body: { sum: 500 } })
  // @ts-expect-error: a refund can expand no such relation.
  await ask('GET /refunds', { query: { expand: ['customer'] } })
  await ask('PATCH /customers/{id}', { path: { id: 'cus_1' }, body: { name } })
}

/** Compiled, never called. */
function viewsThatDoNotCompile(): void {
  // @ts-expect-error: neither a field nor a cell.
  view('order', { columns: ['amount_returned'] })
  // @ts-expect-error: no such field is shown.
  view('order', { without: ['amount_returned'] })
  // @ts-expect-error: bodies take no such field.
  view('product', { form: { groups: [{ names: ['price'] }] } })
  // @ts-expect-error: subscriptions have no such action.
  view('subscription', { actions: { stop: { button: 'Stop', lead: () => '' } } })
  // @ts-expect-error: there is no such noun.
  view('order', { related: ['purchase'] })
  // @ts-expect-error: an order has no such field.
  view('order', { title: ({ amount_returned }) => String(amount_returned) })
}

describe('What pages show', () => {
  it('is typed by the nouns and operations, which the compiler checks', () => {
    const status: Shown<'order'>['status'] = 'refunded'
    expect(view('order', { columns: ['status'] })).toEqual({ noun: 'order', view: { columns: ['status'] } })
    expect(status).toBe('refunded')
    expect([asksThatDoNotCompile, viewsThatDoNotCompile]).toHaveLength(2)
  })
})
