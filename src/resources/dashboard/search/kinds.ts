import type { Noun } from '../../../contract/declarations/noun.ts'
import { Customer } from '../../audience/customer/customer.ts'
import { Form } from '../../audience/form/form.ts'
import { Tag } from '../../audience/tag/tag.ts'
import { Task } from '../../automation/task/task.ts'
import { Discount } from '../../catalog/discount/discount.ts'
import { Product } from '../../catalog/product/product.ts'
import { BlogPost } from '../../content/blog-post/blog-post.ts'
import { Experience } from '../../content/experience/experience.ts'
import { File } from '../../content/file/file.ts'
import { CheckoutLink } from '../../sales/checkout-link/checkout-link.ts'
import { Invoice } from '../../sales/invoice/invoice.ts'
import { Order } from '../../sales/order/order.ts'
import { Subscription } from '../../sales/subscription/subscription.ts'

/**
 * The kinds of resources that can be found, in the order in which they are shown. All are found by id; nouns with `foundBy` also by these
 * fields; orders, subscriptions and invoices also by their customer; and orders also by their products.
 */
const KINDS: readonly [Noun, ...Noun[]] = [
  Customer,
  Product,
  Order,
  Subscription,
  Invoice,
  Discount,
  CheckoutLink,
  BlogPost,
  File,
  Form,
  Experience,
  Tag,
  Task,
]

/** Returns the kinds of the core, then the nouns of features that have `foundBy`. */
export function kindsOf(nouns: readonly Noun[]): readonly [Noun, ...Noun[]] {
  return [...KINDS, ...nouns.filter((noun) => noun.foundBy.length > 0 && !KINDS.includes(noun))]
}
