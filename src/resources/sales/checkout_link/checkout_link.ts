import { flag, metadata, reference, references, servedAddress, text, webAddress } from '../../../contract/kinds.ts'
import { exampleId, noun } from '../../../contract/noun.ts'

export const CheckoutLink = noun('checkout_link', {
  prefix: 'cl',
  group: 'CheckoutLinks',
  description: 'An address to share; each buyer who opens it gets a checkout of its own, one of each price.',
  events: ['created', 'updated', 'deleted'],
  example: { discount: null },
  fields: {
    name: text('Name for the shop itself', { max: 100, example: 'Spring sale' }).nullable('none'),
    price_variants: references(
      'price_variant',
      'Prices it sells, one of each: at most one of a product and one subscription, in one currency; a subscription not with others',
      { max: 50, example: [exampleId('price')] },
    )
      .required()
      .expandable(),
    discount: reference('discount', 'Discount that its checkouts begin with; active when it is set', 'disc_…')
      .nullable('none')
      .expandable(),
    allow_discount_codes: flag('Whether buyers may enter a code', true).default(true),
    success_url: webAddress('Address of the page that follows a payment', 'https://shop.example/thanks').nullable(
      'a page of this service',
    ),
    active: flag('Whether buyers can open it; to others it is a 404', true).default(true),
    url: servedAddress('Address to share', `https://shop.example/l/${exampleId('cl')}`),
    metadata: metadata(),
  },
})
