import type { Row } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import { requireRow } from '../../../records/records.ts'
import { Account } from './account.ts'

/** The account of the caller. */
export function currentAccount(context: Context): Promise<Row<typeof Account>> {
  return requireRow(context, Account, context.accountId)
}
