import { type AccountSummary, findAccount, listAccounts } from '../resources/company/account/life/list.ts'
import { findOwner, type Member } from '../resources/company/account/life/members.ts'
import type { ShopDatabase } from '../resources/tables.ts'
import { SettingError } from '../settings/config.ts'
import { CommandError, UsageError } from './exit-codes.ts'

/** Returns the account with this id or subdomain, or the only account. Throws SettingError, or UsageError if there are several. */
export async function onlyAccount(database: ShopDatabase, named: string | undefined): Promise<AccountSummary> {
  if (named !== undefined) return requireAccount(database, named)
  const [only, ...others] = await listAccounts(database)
  if (!only) throw noAccount()
  if (others.length === 0) return only
  throw new UsageError('There are several accounts: name one with --account; npm run account -- list shows them.')
}

/** Returns the account with this id or subdomain. Throws SettingError if there is none. */
export async function requireAccount(database: ShopDatabase, named: string): Promise<AccountSummary> {
  const found = await findAccount(database, named)
  if (found) return found
  throw new SettingError(
    `There is no account with the id or subdomain ${named}; npm run account -- list shows all accounts.`,
  )
}

/** Returns the owner of the account with this subdomain, or of the first account. Throws SettingError. */
export async function requireOwner(database: ShopDatabase, subdomain?: string): Promise<Member> {
  const owner = await findOwner(database, subdomain)
  if (owner) return owner
  throw noAccount(subdomain)
}

/** Returns the error for a service without accounts, or without an account with this subdomain. */
function noAccount(subdomain?: string): SettingError {
  if (subdomain !== undefined)
    return new SettingError(
      `There is no account with the subdomain ${subdomain}; npm run account -- list shows all accounts.`,
    )
  return new CommandError('noData', 'There is no account yet. Create one with npm run account -- create.')
}
