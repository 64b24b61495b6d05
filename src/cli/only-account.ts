import { type AccountSummary, listAccounts } from '../resources/company/account/life/list.ts'
import type { ShopDatabase } from '../resources/tables.ts'
import { SettingError } from '../settings/config.ts'
import { CommandError, UsageError } from './exit-codes.ts'

/** Returns the account with this id or subdomain, or the only account. Throws SettingError, or UsageError if there are several. */
export async function onlyAccount(database: ShopDatabase, named: string | undefined): Promise<AccountSummary> {
  const accounts = await listAccounts(database)
  if (named !== undefined) {
    const found = accounts.find(({ id, subdomain }) => id === named || subdomain === named)
    if (found) return found
    throw new SettingError(
      `There is no account with the id or subdomain ${named}; npm run account -- list shows those there are.`,
    )
  }
  const [only, ...others] = accounts
  if (!only) throw noAccount()
  if (others.length === 0) return only
  throw new UsageError('There are several accounts: name one with --account; npm run account -- list shows them.')
}

/** Returns the error for a service without accounts, or without an account with this subdomain. */
export function noAccount(subdomain?: string): SettingError {
  if (subdomain !== undefined)
    return new SettingError(
      `There is no account with the subdomain ${subdomain}; npm run account -- list shows all accounts.`,
    )
  return new CommandError('noData', 'There is no account yet. Create one with npm run account -- create.')
}
