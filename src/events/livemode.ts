import type { Context } from '../records/context.ts'

/** Whether an account's events are of real sales; those of a test account are not. Every account is live so far. */
export async function isLive(_context: Pick<Context, 'accountId' | 'db'>): Promise<boolean> {
  return true
}
