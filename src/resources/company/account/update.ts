import { invalid } from '../../../contract/declarations/errors.ts'
import type { Changes, Row } from '../../../contract/declarations/noun.ts'
import { isReserved, RESERVED_PROBLEM } from '../../../contract/values/reserved-names.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow } from '../../../records/records.ts'
import { requireUnique } from '../../../records/unique.ts'
import { recountSpend } from '../../audience/customer/figures.ts'
import { Account } from './account.ts'

export async function updateAccount(
  context: Context,
  account: Row<typeof Account>,
  changes: Changes<typeof Account>,
): Promise<Row<typeof Account>> {
  if (changes.subdomain !== undefined && changes.subdomain !== account.subdomain) {
    if (isReserved(changes.subdomain)) throw invalid({ subdomain: [RESERVED_PROBLEM] })
    const taken = ['subdomain', changes.subdomain] as [string, string]
    await requireUnique(context, Account, taken, 'subdomain', { except: account.id, everywhere: true })
  }
  const changed = await changeRow(context, Account, account, changes)
  if (changed.default_currency !== account.default_currency) await recountSpend(context, changed.default_currency)
  context.emit(Account, 'updated', changed)
  return changed
}
