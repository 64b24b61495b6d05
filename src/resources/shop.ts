import type { Resource } from '../records/resource.ts'
import { customers } from './audience/customer/operations.ts'
import { forms } from './audience/form/operations.ts'
import { formSubmissions } from './audience/form-submission/operations.ts'
import { tags } from './audience/tag/operations.ts'
import { eventSources } from './automation/event-source/operations.ts'
import { eventSourceTypes } from './automation/event-source-type/operations.ts'
import { tasks } from './automation/task/operations.ts'
import { taskRuns } from './automation/task-run/operations.ts'
import { discounts } from './catalog/discount/operations.ts'
import { priceVariants } from './catalog/price-variant/operations.ts'
import { products } from './catalog/product/operations.ts'
import { reviews } from './catalog/review/operations.ts'
import { account } from './company/account/operations.ts'
import { me } from './company/user/operations.ts'
import { x402Configuration } from './company/x402-configuration/operations.ts'
import { blogCategories } from './content/blog-category/operations.ts'
import { blogPosts } from './content/blog-post/operations.ts'
import { experiences } from './content/experience/operations.ts'
import { files } from './content/file/operations.ts'
import { legalPages } from './content/legal-page/operations.ts'
import { webMaps } from './content/web-map/operations.ts'
import { emails } from './messages/email/operations.ts'
import { eventTypes } from './messages/event-type/operations.ts'
import { webhookEndpoints } from './messages/webhook-endpoint/operations.ts'
import { webhookEvents } from './messages/webhook-event/operations.ts'
import { webhookTests } from './messages/webhook-test/operations.ts'
import { charges } from './sales/charge/operations.ts'
import { checkouts } from './sales/checkout/operations.ts'
import { checkoutItems } from './sales/checkout-item/operations.ts'
import { checkoutLinks } from './sales/checkout-link/operations.ts'
import { invoices } from './sales/invoice/operations.ts'
import { orders } from './sales/order/operations.ts'
import { orderItems } from './sales/order-item/operations.ts'
import { payments } from './sales/payment/operations.ts'
import { refunds } from './sales/refund/operations.ts'
import { subscriptions } from './sales/subscription/operations.ts'

/** The resources of the public API in the order of the catalogue, without those of features. */
export const shop = [
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
  legalPages,
  files,
  emails,
  webhookEndpoints,
  webhookTests,
  webhookEvents,
  eventTypes,
  x402Configuration,
  webMaps,
  forms,
  formSubmissions,
  tasks,
  taskRuns,
  eventSources,
  eventSourceTypes,
] as const satisfies readonly Resource[]
