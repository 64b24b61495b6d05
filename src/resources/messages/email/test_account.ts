import type { Context } from '../../../records/context.ts'

/** Whether the account is one for rehearsals, whose messages reach nobody. */
export async function isTestAccount(_context: Context): Promise<boolean> {
  return false
}
