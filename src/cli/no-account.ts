import { SettingError } from '../config.ts'
import { CommandError } from './exit-codes.ts'

/** The refusal of a command that needs an account, the named one or any, where there is none. */
export function noAccount(subdomain?: string): SettingError {
  if (subdomain !== undefined)
    return new SettingError(
      `There is no account with the subdomain ${subdomain}; npm run account -- list shows all accounts.`,
    )
  return new CommandError('noData', 'There is no account yet. Create one with npm run account -- create.')
}
