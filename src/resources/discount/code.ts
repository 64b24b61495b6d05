import { invalid } from '../../contract/errors.ts'
import type { Context } from '../../records/context.ts'

/** What makes a code unique and found: its letters, whatever their case. */
export function codeKey(code: string): string {
  return code.trim().toLowerCase()
}

/** Throws a 422 when another discount of the account has the code. */
export async function requireFreeCode(context: Context, code: string, except?: string): Promise<void> {
  const query = context.db.selectFrom('discounts').select('id').where('account_id', '=', context.accountId)
  const owner = await query.where('code_key', '=', codeKey(code)).executeTakeFirst()
  if (owner && owner.id !== except) throw invalid({ code: ['has already been taken'] })
}
