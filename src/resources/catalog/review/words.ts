import { type Meant, words } from '../../../records/starting.ts'
import { customersStarting } from '../../audience/customer/starting.ts'
import { productsStarting } from '../product/starting.ts'
import { Review } from './review.ts'

/** What people have in hand of a review. */
export const REVIEW_WORDS = words(
  Review,
  'An id, or the start of the product’s name, or of the customer’s e-mail or name',
  async (context, given): Promise<Meant[]> => {
    if (Review.isId(given)) return [['id', [given]]]
    return [
      ['product', await productsStarting(context, given)],
      ['customer', await customersStarting(context, given)],
    ]
  },
)
