import type { Context } from '../../../records/context.ts'
import { requireRow } from '../../../records/records.ts'
import { Account, type AccountRow } from './account.ts'

export function currentAccount(context: Context): Promise<AccountRow> {
  return requireRow(context, Account, context.accountId)
}
