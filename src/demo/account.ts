import type { AccountUser } from '../contract/declarations/caller.ts'
import { timestampOf } from '../contract/values/values.ts'
import type { Scope } from '../database/database.ts'
import type { Tables } from '../resources/tables.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** How long before the first start the shop opened: its first customers came soon after. */
export const OPENED_DAYS_AGO = 200

type Fill = (scope: Scope<Tables>, owner: AccountUser) => Promise<void>

/**
 * The demo shop is a test account: its money is never real, its messages reach nobody, and its clock begins half a year ago, so
 * that it can have a past.
 */
export function demoAccount(fill: Fill): { test: true; clock: string; fill: Fill } {
  return { test: true, clock: timestampOf(new Date(Date.now() - OPENED_DAYS_AGO * DAY_MS)), fill }
}
