import type { AccountUser } from '../contract/declarations/caller.ts'
import { DAY_MS, timestampOf } from '../contract/values/values.ts'
import type { ShopScope } from '../resources/tables.ts'

export const OPENED_DAYS_AGO = 200

type FillAccount = (scope: ShopScope, owner: AccountUser) => Promise<void>

/** Returns the options of the demo shop. It is a test account, so that no payment is real and its clock can start in the past. */
export function demoAccount(fill: FillAccount): { test: true; clock: string; fill: FillAccount } {
  return { test: true, clock: timestampOf(new Date(Date.now() - OPENED_DAYS_AGO * DAY_MS)), fill }
}
