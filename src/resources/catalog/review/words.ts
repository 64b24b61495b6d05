import { type Meant, words } from '../../../records/starting.ts'
import { customersFound } from '../../audience/customer/found.ts'
import { productsFound } from '../product/found.ts'
import { Review } from './review.ts'

export const REVIEW_WORDS = words(
  Review,
  'An id, or beginnings of words of the product’s name, or of the customer’s e-mail or name',
  async (context, given): Promise<Meant[]> => {
    if (Review.isId(given)) return [['id', [given]]]
    return [
      ['product', await productsFound(context, given)],
      ['customer', await customersFound(context, given)],
    ]
  },
)
