import { html } from 'hono/html'
import { becomes } from '../derived/chosen.ts'
import { copyableAddress } from '../kit/copy-buttons.ts'
import { view } from '../kit/visit.ts'
import { nameOf } from '../kit/words.ts'

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

export const checkoutLinkView = view('checkout_link', {
  lead: 'Links to share. Each buyer who opens one gets their own checkout.',
  bulk: [
    {
      name: 'deactivate',
      button: 'Deactivate',
      method: 'patch',
      body: { active: false },
      says: becomes('deactivated'),
    },
    { name: 'activate', button: 'Activate', method: 'patch', body: { active: true }, says: becomes('activated') },
  ],
  columns: ['name', 'address', 'prices', 'open', 'created_at'],
  cells: {
    name: { title: 'Name', show: (_, link) => html`${link.name || 'Unnamed'}` },
    address: { title: 'Address', show: (_, link) => copyableAddress(link.url, nameOf(link)) },
    prices: { title: 'Prices', end: true, show: (_, link) => html`${link.price_variants.length}` },
    open: {
      title: 'State',
      show: (_, { active }) =>
        html`<span class="badge ${active ? 'good' : 'plain'}">${active ? 'Open' : 'Closed'}</span>`,
    },
  },
  above: [
    async (_, link) =>
      html`<section class="card" aria-label="Address"><p>${link.active ? 'Anyone with this link can buy.' : 'This link is inactive: it leads to a “not found” page.'}</p>${copyableAddress(link.url, nameOf(link))}</section>`,
  ],
  without: ['url', 'name'],
  form: {
    groups: [{ names: ['name', 'price_variants', 'discount', 'allow_discount_codes', 'success_url', 'active'] }],
    labels: {
      price_variants: 'Prices',
      allow_discount_codes: 'Allow discount codes',
      success_url: 'Redirect after payment',
      active: 'Open',
    },
    hints: {
      name: 'For your own reference. Buyers do not see it.',
      price_variants: 'One of each is sold. All must be in the same currency; a subscription must be the only price.',
      discount: 'Applied automatically, without a code.',
      success_url: 'Leave empty to show a thank-you page.',
    },
  },
})
