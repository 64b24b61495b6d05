import type { Resource } from '../records/resource.ts'
import { customers } from './audience/customer/operations.ts'
import { tags } from './audience/tag/operations.ts'
import { discounts } from './catalog/discount/operations.ts'
import { priceVariants } from './catalog/price_variant/operations.ts'
import { products } from './catalog/product/operations.ts'
import { reviews } from './catalog/review/operations.ts'
import { account } from './company/account/operations.ts'
import { me } from './company/user/operations.ts'
import { blogCategories } from './content/blog_category/operations.ts'
import { blogPosts } from './content/blog_post/operations.ts'
import { experiences } from './content/experience/operations.ts'
import { files } from './content/file/operations.ts'
import { emails } from './messages/email/operations.ts'
import { eventTypes } from './messages/event_type/operations.ts'
import { webhookEndpoints } from './messages/webhook_endpoint/operations.ts'
import { webhookEvents } from './messages/webhook_event/operations.ts'
import { webhookTests } from './messages/webhook_test/operations.ts'
import { charges } from './sales/charge/operations.ts'
import { checkouts } from './sales/checkout/operations.ts'
import { checkoutItems } from './sales/checkout_item/operations.ts'
import { checkoutLinks } from './sales/checkout_link/operations.ts'
import { invoices } from './sales/invoice/operations.ts'
import { orders } from './sales/order/operations.ts'
import { orderItems } from './sales/order_item/operations.ts'
import { payments } from './sales/payment/operations.ts'
import { refunds } from './sales/refund/operations.ts'
import { subscriptions } from './sales/subscription/operations.ts'

/** What the shop is, in catalogue order. */
export const shop: Resource[] = [
  account,
  me,
  products,
  priceVariants,
  orders,
  orderItems,
  charges,
  refunds,
  customers,
  tags,
  subscriptions,
  invoices,
  checkouts,
  checkoutItems,
  checkoutLinks,
  payments,
  discounts,
  blogPosts,
  blogCategories,
  reviews,
  experiences,
  files,
  emails,
  webhookEndpoints,
  webhookTests,
  webhookEvents,
  eventTypes,
]
