import type { Context } from '../../../records/context.ts'
import { requireUnique } from '../../../records/unique.ts'
import { Discount } from './discount.ts'

/** What makes a code unique and found: its letters, ignoring case. */
export function codeKey(code: string): string {
  return code.trim().toLowerCase()
}

/** Throws a 422 when another discount of the account has the code. */
export function requireFreeCode(context: Context, code: string, except: string): Promise<void> {
  return requireUnique(context, Discount, ['code_key', codeKey(code)], 'code', { except })
}
