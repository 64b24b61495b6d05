import type { Context } from '../../../records/context.ts'
import { requireUnique } from '../../../records/unique.ts'
import { Customer } from './customer.ts'

/** Throws a 422 when another customer of the account has the e-mail address. */
export function requireUniqueEmail(context: Context, address: string): Promise<void> {
  return requireUnique(context, Customer, ['email', address], 'email')
}
