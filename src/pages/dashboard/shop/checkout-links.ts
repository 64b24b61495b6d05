import { html } from 'hono/html'
import { copyableAddress } from '../kit/copy.ts'
import { nameOf } from '../kit/labels.ts'
import type { View } from '../kit/visit.ts'

export const checkoutLinkView: View = {
  lead: 'Addresses to share. Each buyer who opens one gets a checkout of their own.',
  columns: ['name', 'address', 'prices', 'open', 'created_at'],
  cells: {
    name: { title: 'Name', show: (_, link) => html`${link.name ? String(link.name) : 'Without a name'}` },
    address: { title: 'Address', show: (_, link) => copyableAddress(String(link.url), nameOf(link)) },
    prices: { title: 'Prices', end: true, show: (_, link) => html`${(link.price_variants as unknown[]).length}` },
    open: {
      title: 'State',
      show: (_, { active }) =>
        html`<span class="badge ${active ? 'good' : 'plain'}">${active ? 'Open' : 'Closed'}</span>`,
    },
  },
  above: [
    async (_, link) =>
      html`<section class="card" aria-label="Address"><p>${link.active ? 'Everybody with this address can buy.' : 'It is closed: whoever opens it finds nothing.'}</p>${copyableAddress(String(link.url), nameOf(link))}</section>`,
  ],
  without: ['url', 'name'],
  form: {
    groups: [{ names: ['name', 'price_variants', 'discount', 'allow_discount_codes', 'success_url', 'active'] }],
    labels: {
      price_variants: 'Prices',
      allow_discount_codes: 'Buyers may enter a code',
      success_url: 'Page after the payment',
      active: 'Open',
    },
    hints: {
      name: 'For yourself; buyers do not see it.',
      price_variants: 'One of each is sold. All in one currency; a subscription only by itself.',
      discount: 'Taken off without a code.',
      success_url: 'Empty: a page of this service says thank you.',
    },
  },
}
