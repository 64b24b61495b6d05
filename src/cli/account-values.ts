import type { Field } from '../contract/declarations/field.ts'
import { normalizeEmail } from '../contract/values/email.ts'
import { isReserved, RESERVED_PROBLEM } from '../contract/values/reserved-names.ts'
import { Account } from '../resources/company/account/account.ts'
import { User } from '../resources/company/user/user.ts'
import { UsageError } from './exit-codes.ts'

/** The name of an account, by the same rules as over the API. Throws UsageError, as all of these do. */
export function accountName(given: string): string {
  return checked('The name', Account.fields.name, given)
}

/** An account's name in addresses. */
export function subdomainText(given: string): string {
  const subdomain = checked('--subdomain', Account.fields.subdomain, given)
  if (isReserved(subdomain)) throw new UsageError(`--subdomain ${RESERVED_PROBLEM}, not "${subdomain}".`)
  return subdomain
}

/** A person's name. */
export function personName(given: string): string {
  return checked('--owner-name', User.fields.name, given)
}

/** The one form in which an address is stored. */
export function emailAddress(given: string, what = '--owner'): string {
  const { address, problem } = normalizeEmail(given)
  if (address !== null) return address
  throw new UsageError(`${what} ${problem}; write it like ada@example.com, not "${given}".`)
}

function checked(what: string, { spec }: Field, given: string): string {
  const result = spec.schema.safeParse(given)
  if (result.success) return String(result.data)
  throw new UsageError(`${what} ${result.error.issues[0]!.message}, not "${given}".`)
}
