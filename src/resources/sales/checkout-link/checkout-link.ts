import {
  flag,
  metadata,
  reference,
  references,
  servedAddress,
  text,
  webAddress,
} from '../../../contract/declarations/kinds.ts'
import { exampleId, noun, type Row } from '../../../contract/declarations/noun.ts'

export const CheckoutLink = noun('checkout_link', {
  prefix: 'cl',
  foundBy: ['name'],
  group: 'CheckoutLinks',
  area: 'products',
  description: 'A link to share; each buyer who opens it gets a new checkout with one unit of each price.',
  events: ['created', 'updated', 'deleted'],
  example: { discount: null },
  fields: {
    name: text('Internal name', { max: 100, example: 'Spring sale' }).nullable('none'),
    price_variants: references(
      'price_variant',
      'Prices to sell, one unit of each: one price per product, in one currency; a subscription must be the only price',
      { max: 50, example: [exampleId('price')] },
    )
      .required()
      .expandable(),
    discount: reference('discount', 'Discount applied to its checkouts; must be active when it is set', 'disc_…')
      .nullable('none')
      .expandable(),
    allow_discount_codes: flag('Whether buyers can enter a discount code', true).default(true),
    success_url: webAddress('URL the buyer is sent to after the payment', 'https://shop.example/thanks').nullable(
      'a hosted page',
    ),
    active: flag('Whether buyers can open it; if not, its url answers 404', true).default(true),
    url: servedAddress('URL to share', `https://shop.example/l/${exampleId('cl')}`),
    metadata: metadata(),
  },
})

export type CheckoutLinkRow = Row<typeof CheckoutLink>
