import type { Resource } from '../records/resource.ts'
import { notificationAddresses } from './audience/notification-address/operations.ts'
import { accountDeletions } from './dashboard/account-deletion/operations.ts'
import type { BeforeDeletion } from './dashboard/account-deletion/remove.ts'
import { AccountExport } from './dashboard/account-export/account-export.ts'
import { accountExports } from './dashboard/account-export/operations.ts'
import { type ExportPart, exportParts } from './dashboard/account-export/parts.ts'
import { apiRequests } from './dashboard/api-request/operations.ts'
import { apiTokens } from './dashboard/api-token/operations.ts'
import { backgroundPrograms } from './dashboard/background-program/operations.ts'
import { connections } from './dashboard/connection/operations.ts'
import { creditEntries } from './dashboard/credit-entry/operations.ts'
import { events } from './dashboard/event/operations.ts'
import { invitations } from './dashboard/invitation/operations.ts'
import { letterChoices } from './dashboard/letter-settings/operations.ts'
import { logEntries } from './dashboard/log-entry/operations.ts'
import { memberChanges } from './dashboard/member/operations.ts'
import { modelChanges } from './dashboard/model-settings/operations.ts'
import { paymentLinks } from './dashboard/payment-link/operations.ts'
import { paymentConnections } from './dashboard/payment-settings/operations.ts'
import { programAnswers } from './dashboard/program-answer/operations.ts'
import { programPlans } from './dashboard/program-plan/operations.ts'
import { programRuns } from './dashboard/program-run/operations.ts'
import { questions } from './dashboard/question/operations.ts'
import { refundLimitChanges } from './dashboard/refund-limit/operations.ts'
import { reports } from './dashboard/report/operations.ts'
import { savedViews } from './dashboard/saved-view/operations.ts'
import { search } from './dashboard/search/operations.ts'
import { testAccounts } from './dashboard/test-account/operations.ts'
import { webhookAttempts } from './messages/webhook-attempt/operations.ts'
import { disputes } from './sales/dispute/operations.ts'

/** The parts of a feature that operations of the dashboard use. */
export interface DashboardOperationParts {
  /** Preparations for the deletion of an account. */
  beforeDeletion?: readonly BeforeDeletion[]
  /** Tables without a noun that an account's export contains. */
  exportedTables?: readonly ExportPart[]
}

/** Returns the resources that only the dashboard has. They are not part of the public API, whose resources are `shop`. */
export function dashboardResources(shop: readonly Resource[], features: readonly DashboardOperationParts[]) {
  const beforeDeletion = features.flatMap((one) => one.beforeDeletion ?? [])
  const kept = [
    search(shop.map(({ noun }) => noun)),
    reports,
    connections,
    logEntries,
    memberChanges,
    refundLimitChanges,
    invitations,
    programRuns,
    programPlans,
    backgroundPrograms,
    programAnswers,
    questions,
    savedViews,
    apiTokens,
    webhookAttempts,
    notificationAddresses,
    events,
    apiRequests,
    creditEntries,
    paymentLinks,
    disputes,
    paymentConnections,
    letterChoices,
    modelChanges,
    testAccounts(beforeDeletion),
    accountDeletions(beforeDeletion),
  ] as const satisfies readonly Resource[]
  return [...kept, accountExports(exportedParts([...shop, ...kept], features))] as const satisfies readonly Resource[]
}

/** Returns the parts of an export. They omit users, who may belong to several accounts, but contain their memberships. */
export function exportedParts(
  resources: readonly Resource[],
  features: readonly DashboardOperationParts[],
): ExportPart[] {
  const nouns = resources.map(({ noun }) => noun).filter(({ prefix, name }) => prefix !== null && name !== 'user')
  const tables = features.flatMap(({ exportedTables = [] }) => exportedTables)
  return exportParts([...new Set([...nouns, AccountExport])], tables)
}
