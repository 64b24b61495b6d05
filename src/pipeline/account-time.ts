import type { AccountClocks } from '../clock/moments.ts'
import type { Scope } from '../database/database.ts'
import type { Tables } from '../resources/tables.ts'

export interface AccountTime {
  /** Returns the milliseconds by which the account's clock is ahead of the system clock; 0 for a live account. */
  clockAheadMs(scope: Scope<Tables>, accountId: string): Promise<number>
  /** Returns an IANA name. */
  zone(scope: Scope<Tables>, accountId: string): Promise<string>
}

export function accountTime(clocks: AccountClocks): AccountTime {
  return {
    async clockAheadMs({ read }, accountId) {
      const { now, realNow } = await clocks.momentsOf(read, accountId)
      return Date.parse(now) - Date.parse(realNow)
    },
    async zone({ read }, accountId) {
      const account = read.selectFrom('accounts').select('timezone').where('account_id', '=', accountId)
      return (await account.where('id', '=', accountId).executeTakeFirstOrThrow()).timezone
    },
  }
}
