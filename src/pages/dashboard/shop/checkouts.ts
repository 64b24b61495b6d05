import { view } from '../kit/visit.ts'

export const checkoutView = view('checkout', {
  title: ({ email }) => (email ? `Checkout of ${email}` : 'Checkout'),
  main: [
    'customer',
    'email',
    'order',
    'subtotal',
    'amount_discount',
    'amount_tax',
    'total',
    'created_at',
    'completed_at',
    'expires_at',
  ],
  without: ['id', 'status', 'currency', 'client_secret', 'metadata'],
  labels: { amount_discount: 'Discount', amount_tax: 'Tax', url: 'Address' },
})
