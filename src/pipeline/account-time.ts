import type { AccountClocks } from '../clock/moments.ts'
import type { Scope } from '../database/database.ts'
import type { Tables } from '../resources/tables.ts'

/** What an account's time is, as a program or a transaction sees it. */
export interface AccountTime {
  /** Milliseconds that the account's clock is ahead of the system's: 0 for a live account. */
  clockAheadMs(scope: Scope<Tables>, accountId: string): Promise<number>
  /** The IANA name of the zone of its days and months. */
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
