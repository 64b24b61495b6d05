import { integer, money, reference } from '../../../contract/declarations/kinds.ts'
import { answerNoun } from '../../../contract/declarations/noun.ts'

const FEE = 'a fee of this service'

export const CheckoutItem = answerNoun('checkout_item', {
  group: 'Checkouts',
  description: 'One line of a checkout.',
  example: { amount_discount: 0, amount_tax: 0, setup_fee_amount: 0 },
  fields: {
    price_variant: reference('price_variant', 'Price of the item').nullable(FEE).readOnly().expandable(),
    product: reference('product', 'Product of the price').nullable(FEE).readOnly().expandable(),
    quantity: integer('Quantity bought', { min: 1, unit: 'units' }).readOnly(),
    unit_amount: money('Price of one unit, in the checkout’s currency')
      .nullable('the buyer decides on the page')
      .readOnly(),
    amount: money(
      'Amount due now for the line, in the checkout’s currency: unit_amount × quantity + setup_fee_amount − amount_discount, plus tax that prices do not include; in a trial the setup fee',
    ).readOnly(),
    amount_discount: money('Amount taken off by the discount, in the checkout’s currency').readOnly(),
    amount_tax: money('Tax in amount, in the checkout’s currency').readOnly(),
    setup_fee_amount: money('Setup fee included in amount; charged once, in the checkout’s currency').readOnly(),
  },
})
