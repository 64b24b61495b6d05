import { type Meant, words } from '../../../records/starting.ts'
import { Customer } from '../../audience/customer/customer.ts'
import { customersStarting } from '../../audience/customer/starting.ts'
import { pricesStarting } from '../../catalog/product/starting.ts'
import { Subscription } from './subscription.ts'

/** What people have in hand of a subscription. */
export const SUBSCRIPTION_WORDS = words(
  Subscription,
  'An id, or the start of the subscriber’s e-mail, name or last name, or of the product’s name',
  async (context, given): Promise<Meant[]> => {
    if (Subscription.isId(given)) return [['id', [given]]]
    if (Customer.isId(given)) return [['customer', [given]]]
    return [
      ['customer', await customersStarting(context, given)],
      ['price_variant', await pricesStarting(context, given)],
    ]
  },
)
