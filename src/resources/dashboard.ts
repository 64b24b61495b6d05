import type { Resource } from '../records/resource.ts'
import { notificationAddresses } from './audience/notification-address/operations.ts'
import { siteBuilds } from './content/site-build/operations.ts'
import { accessGrants } from './dashboard/access-grant/operations.ts'
import { accountDeletions } from './dashboard/account-deletion/operations.ts'
import { accountExports } from './dashboard/account-export/operations.ts'
import { apiRequests } from './dashboard/api-request/operations.ts'
import { apiTokens } from './dashboard/api-token/operations.ts'
import { backgroundPrograms } from './dashboard/background-program/operations.ts'
import { connections } from './dashboard/connection/operations.ts'
import { creditEntries } from './dashboard/credit-entry/operations.ts'
import { emailBodies } from './dashboard/email-body/operations.ts'
import { events } from './dashboard/event/operations.ts'
import { fileUses } from './dashboard/file-uses/operations.ts'
import { invitations } from './dashboard/invitation/operations.ts'
import { letterPreviews, letterSettings } from './dashboard/letter-settings/operations.ts'
import { logEntries } from './dashboard/log-entry/operations.ts'
import { mailSettings } from './dashboard/mail-settings/operations.ts'
import { members } from './dashboard/member/operations.ts'
import { modelSettings } from './dashboard/model-settings/operations.ts'
import { overviews } from './dashboard/overview/operations.ts'
import { paymentLinks } from './dashboard/payment-link/operations.ts'
import { paymentSettings } from './dashboard/payment-settings/operations.ts'
import { planComparisons } from './dashboard/plan-comparison/operations.ts'
import { productSales } from './dashboard/product-sales/operations.ts'
import { programAnswers } from './dashboard/program-answer/operations.ts'
import { programPlans } from './dashboard/program-plan/operations.ts'
import { programRuns } from './dashboard/program-run/operations.ts'
import { questions } from './dashboard/question/operations.ts'
import { recoveries } from './dashboard/recovery/operations.ts'
import { refundLimitsOfSupport } from './dashboard/refund-limit/operations.ts'
import { reports } from './dashboard/report/operations.ts'
import { savedViews } from './dashboard/saved-view/operations.ts'
import { search } from './dashboard/search/operations.ts'
import { serviceConnections } from './dashboard/service-connections/operations.ts'
import { storageUse } from './dashboard/storage-use/operations.ts'
import { testAccounts } from './dashboard/test-account/operations.ts'
import { webhookAttempts } from './messages/webhook-attempt/operations.ts'
import { disputeEvidence, disputes } from './sales/dispute/operations.ts'
import { shop } from './shop.ts'

const kept = [
  overviews,
  search,
  reports,
  productSales,
  fileUses,
  accessGrants,
  connections,
  logEntries,
  members,
  refundLimitsOfSupport,
  invitations,
  programRuns,
  programPlans,
  backgroundPrograms,
  planComparisons,
  programAnswers,
  questions,
  savedViews,
  serviceConnections,
  apiTokens,
  webhookAttempts,
  notificationAddresses,
  events,
  apiRequests,
  creditEntries,
  paymentLinks,
  disputes,
  disputeEvidence,
  recoveries,
  paymentSettings,
  mailSettings,
  letterSettings,
  letterPreviews,
  emailBodies,
  modelSettings,
  storageUse,
  testAccounts,
  accountDeletions,
  siteBuilds,
] as const satisfies readonly Resource[]

/** The nouns of an export. It omits users, who may belong to several accounts, but contains their memberships. */
export const exported = [...shop, ...kept]
  .map(({ noun }) => noun)
  .filter(({ prefix, name }) => prefix !== null && name !== 'user')

/** The resources that only the dashboard has; they are not part of the public API. */
export const dashboard = [...kept, accountExports(exported)] as const satisfies readonly Resource[]
