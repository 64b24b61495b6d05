import type { Body, Shop } from '../support/shop.ts'
import { Visitor } from './visitor.ts'

/** What the tests of the page of a checkout do again and again. */
export function checkoutsOf(shop: Shop) {
  return {
    visitor: () => new Visitor(shop.running.url),
    open: (items: object[], more: object = {}): Promise<Body> =>
      shop.post('/checkouts', { line_items: items, ...more }),
    item: (price: Body, more: object = {}) => ({ price_variant: price.id, ...more }),
    now: (checkout: Body) => shop.get(`/checkouts/${checkout.id}`),
    orders: async (checkout: Body) =>
      shop.db.selectFrom('orders').select(['status', 'amount']).where('checkout', '=', checkout.id).execute(),
  }
}
