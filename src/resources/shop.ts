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
import { eventTypes } from './messages/event_type/operations.ts'
import { webhookEndpoints } from './messages/webhook_endpoint/operations.ts'
import { webhookEvents } from './messages/webhook_event/operations.ts'
import { webhookTests } from './messages/webhook_test/operations.ts'

/** What the shop is, in catalogue order. */
export const shop: Resource[] = [
  account,
  me,
  products,
  priceVariants,
  customers,
  tags,
  discounts,
  blogPosts,
  blogCategories,
  reviews,
  experiences,
  files,
  webhookEndpoints,
  webhookTests,
  webhookEvents,
  eventTypes,
]
