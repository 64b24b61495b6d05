import type { AccountUser } from '../contract/declarations/caller.ts'
import { timestampOf } from '../contract/values/values.ts'
import type { Scope } from '../database/database.ts'
import type { Tables } from '../resources/tables.ts'

const DAY_MS = 24 * 60 * 60 * 1000

export const OPENED_DAYS_AGO = 200

type FillAccount = (scope: Scope<Tables>, owner: AccountUser) => Promise<void>

/**
 * The demo shop is a test account: payments are simulated, no message is delivered, and the clock starts in the past so that the shop can
 * have a history.
 */
export function demoAccount(fill: FillAccount): { test: true; clock: string; fill: FillAccount } {
  return { test: true, clock: timestampOf(new Date(Date.now() - OPENED_DAYS_AGO * DAY_MS)), fill }
}
