import { type Meant, words } from '../../../records/starting.ts'
import { Customer } from '../../audience/customer/customer.ts'
import { customersFound } from '../../audience/customer/found.ts'
import { pricesFound } from '../../catalog/product/found.ts'
import { Subscription } from './subscription.ts'

export const SUBSCRIPTION_WORDS = words(
  Subscription,
  'An id, or beginnings of words of the subscriber’s e-mail or name, or of the product’s name',
  async (context, given): Promise<Meant[]> => {
    if (Subscription.isId(given)) return [['id', [given]]]
    if (Customer.isId(given)) return [['customer', [given]]]
    return [
      ['customer', await customersFound(context, given)],
      ['price_variant', await pricesFound(context, given)],
    ]
  },
)
