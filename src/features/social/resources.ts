import { socialAccounts } from './resources/social-account/operations.ts'
import { socialAccountHealth } from './resources/social-account-health/operations.ts'
import { socialAnalytics } from './resources/social-analytics/operations.ts'
import { socialAnalyticsTimelines } from './resources/social-analytics-timeline/operations.ts'
import { socialBestTimes } from './resources/social-best-times/operations.ts'
import { socialComments } from './resources/social-comment/operations.ts'
import { socialDeliveries } from './resources/social-delivery/operations.ts'
import { socialPlatforms } from './resources/social-platform/operations.ts'
import { socialPosts } from './resources/social-post/operations.ts'
import { socialPostTargets } from './resources/social-post-target/operations.ts'
import { socialPostValidations } from './resources/social-post-validation/operations.ts'

/** The resources of social networks in the order of the catalogue. */
export const socialResources = [
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
] as const
