/** Paths that look a little like others, but are about something else. */
export const UNRELATED = [
  ...[
    '/offers',
    '/folders',
    '/widgets',
    '/coupons',
    '/payments',
    '/posts',
    '/carts',
    '/shipments',
    '/notes',
    '/badges',
  ],
  ...['/stock', '/traders', '/orders/ord_1/lines', '/customers/cus_1/notes', '/products/prod_1/prices', '/tax/rates'],
]
