import type { Resource } from '../records/resource.ts'
import { customers } from './audience/customer/operations.ts'
import { forms } from './audience/form/operations.ts'
import { formSubmissions } from './audience/form_submission/operations.ts'
import { tags } from './audience/tag/operations.ts'
import { eventSources } from './automation/event_source/operations.ts'
import { eventSourceTypes } from './automation/event_source_type/operations.ts'
import { tasks } from './automation/task/operations.ts'
import { taskRuns } from './automation/task_run/operations.ts'
import { discounts } from './catalog/discount/operations.ts'
import { priceVariants } from './catalog/price_variant/operations.ts'
import { products } from './catalog/product/operations.ts'
import { reviews } from './catalog/review/operations.ts'
import { account } from './company/account/operations.ts'
import { formations } from './company/formation/operations.ts'
import { formationDocuments } from './company/formation_document/operations.ts'
import { me } from './company/user/operations.ts'
import { x402Configuration } from './company/x402_configuration/operations.ts'
import { aiSites } from './content/ai_site/operations.ts'
import { blogCategories } from './content/blog_category/operations.ts'
import { blogPosts } from './content/blog_post/operations.ts'
import { experiences } from './content/experience/operations.ts'
import { files } from './content/file/operations.ts'
import { legalPages } from './content/legal_page/operations.ts'
import { webMaps } from './content/web_map/operations.ts'
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
import { socialAccounts } from './social/social_account/operations.ts'
import { socialAccountHealth } from './social/social_account_health/operations.ts'
import { socialAnalytics } from './social/social_analytics/operations.ts'
import { socialAnalyticsTimelines } from './social/social_analytics_timeline/operations.ts'
import { socialBestTimes } from './social/social_best_times/operations.ts'
import { socialComments } from './social/social_comment/operations.ts'
import { socialDeliveries } from './social/social_delivery/operations.ts'
import { socialPlatforms } from './social/social_platform/operations.ts'
import { socialPosts } from './social/social_post/operations.ts'
import { socialPostTargets } from './social/social_post_target/operations.ts'
import { socialPostValidations } from './social/social_post_validation/operations.ts'

/** The resources of the public API, in catalogue order. */
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
  socialAccounts,
  socialPlatforms,
  socialAccountHealth,
  socialPosts,
  socialPostValidations,
  socialPostTargets,
  socialDeliveries,
  socialComments,
  socialAnalytics,
  socialAnalyticsTimelines,
  socialBestTimes,
  forms,
  formSubmissions,
  tasks,
  taskRuns,
  eventSources,
  eventSourceTypes,
  formations,
  formationDocuments,
  aiSites,
] as const satisfies readonly Resource[]
