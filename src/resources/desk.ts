import type { Resource } from '../records/resource.ts'
import { notificationAddresses } from './audience/notification_address/operations.ts'
import { accessGrants } from './desk/access_grant/operations.ts'
import { accountDeletions } from './desk/account_deletion/operations.ts'
import { accountExports } from './desk/account_export/operations.ts'
import { apiRequests } from './desk/api_request/operations.ts'
import { apiTokens } from './desk/api_token/operations.ts'
import { connections } from './desk/connection/operations.ts'
import { creditEntries } from './desk/credit_entry/operations.ts'
import { events } from './desk/event/operations.ts'
import { fileUses } from './desk/file_uses/operations.ts'
import { invitations } from './desk/invitation/operations.ts'
import { mailSettings } from './desk/mail_settings/operations.ts'
import { members } from './desk/member/operations.ts'
import { overviews } from './desk/overview/operations.ts'
import { paymentSettings } from './desk/payment_settings/operations.ts'
import { planComparisons } from './desk/plan_comparison/operations.ts'
import { productSales } from './desk/product_sales/operations.ts'
import { programAnswers } from './desk/program_answer/operations.ts'
import { programPlans } from './desk/program_plan/operations.ts'
import { programRuns } from './desk/program_run/operations.ts'
import { storageUse } from './desk/storage_use/operations.ts'
import { testAccounts } from './desk/test_account/operations.ts'
import { webhookAttempts } from './messages/webhook_attempt/operations.ts'
import { shop } from './shop.ts'

const kept: Resource[] = [
  overviews,
  productSales,
  fileUses,
  accessGrants,
  connections,
  members,
  invitations,
  programRuns,
  programPlans,
  planComparisons,
  programAnswers,
  apiTokens,
  webhookAttempts,
  notificationAddresses,
  events,
  apiRequests,
  creditEntries,
  paymentSettings,
  mailSettings,
  storageUse,
  testAccounts,
  accountDeletions,
]

/** People belong to several accounts: which of them belong to this one is exported as its memberships. */
const exported = [...shop, ...kept]
  .map(({ noun }) => noun)
  .filter(({ prefix, name }) => prefix !== null && name !== 'user')

/** What the dashboard alone shows: things of an account that no operation of the contract is about. */
export const desk: Resource[] = [...kept, accountExports(exported)]
