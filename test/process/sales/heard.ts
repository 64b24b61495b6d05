import type { Books, Row } from './books.ts'

/** The events that the rows of the books must have left, each as often as it is here: `order.paid ord_…`. */
function expectedEvents({ checkouts, orders, refunds, subscriptions, customers }: Books): string[] {
  const of = (rows: Row[], type: string) => rows.map(({ id }) => `${type} ${id}`)
  const succeeded = refunds!.filter(({ status }) => status === 'succeeded')
  return [
    ...of(checkouts!, 'checkout.created'),
    ...of(
      checkouts!.filter(({ status }) => status === 'complete'),
      'checkout.completed',
    ),
    ...of(
      checkouts!.filter(({ status }) => status === 'expired'),
      'checkout.expired',
    ),
    ...of(orders!, 'order.created'),
    ...of(
      orders!.filter(({ paid_at }) => paid_at !== null),
      'order.paid',
    ),
    ...of(
      orders!.filter(({ status }) => status === 'failed'),
      'order.failed',
    ),
    ...of(
      orders!.filter(({ status }) => status === 'refunded'),
      'order.refunded',
    ),
    ...of(refunds!, 'refund.created'),
    ...of(
      refunds!.filter(({ status }) => status === 'failed'),
      'refund.failed',
    ),
    ...partial(orders!, succeeded).map((order) => `order.partially_refunded ${order}`),
    ...of(subscriptions!, 'subscription.created'),
    ...subscriptions!.flatMap((one) => Array(one.payments_count - 1).fill(`subscription.renewed ${one.id}`)),
    ...of(customers!, 'customer.created'),
  ]
}

/** The order of each refund that left something. */
function partial(orders: Row[], refunds: Row[]): string[] {
  return orders.flatMap(({ id, status }) => {
    const count = refunds.filter(({ order }) => order === id).length - (status === 'refunded' ? 1 : 0)
    return Array(count).fill(id)
  })
}

const ABOUT_SALES = /^(checkout|order|refund|customer)\.|^subscription\.(created|renewed) /

/** Where the outbox departs from the rows: an event that is missing, or of what was never committed, or there twice. */
export function problemsOfEvents(books: Books): string[] {
  const found = books
    .events!.map(({ type, resource_id }) => `${type} ${resource_id}`)
    .filter((one) => ABOUT_SALES.test(one))
  return differences('The outbox', found, expectedEvents(books))
}

/** Where what an endpoint was sent departs from the outbox: it hears of each event, and of no other. */
export function problemsOfDeliveries(
  { events, webhook_events }: Books,
  heard: readonly Row[],
  since: string,
): string[] {
  const sent = webhook_events!.map(({ payload }) => nameOf(JSON.parse(payload)))
  const due = events!.filter(({ id }) => id > since).map(({ type, resource_id }) => `${type} ${resource_id}`)
  const known = new Set(webhook_events!.map(({ id }) => id))
  const told = new Set(heard.map(({ id }) => id))
  return [
    ...differences('The queue of deliveries', sent, due),
    ...webhook_events!.filter(({ id }) => !told.has(id)).map(({ id, status }) => `${id}, ${status}, was never heard`),
    ...[...told].filter((id) => !known.has(id)).map((id) => `${id} was heard, and never committed`),
  ]
}

const nameOf = ({ type, data }: Row) => `${type} ${data.id}`

function differences(where: string, found: string[], expected: string[]): string[] {
  const counts = new Map<string, number>()
  for (const one of expected) counts.set(one, (counts.get(one) ?? 0) + 1)
  for (const one of found) counts.set(one, (counts.get(one) ?? 0) - 1)
  return [...counts].flatMap(([one, count]) => {
    if (count === 0) return []
    return [count > 0 ? `${where} lacks ${one}` : `${where} has ${one} ${-count} times too often`]
  })
}
