import { currentTimestamp } from '../contract/values/values.ts'
import type { Db, ShopScope } from '../resources/tables.ts'
import { shownBy } from './account-clock.ts'
import { findClock } from './advance.ts'

/** Asks a running server to move a clock. The server begins within two seconds. */
export async function requestAdvance(database: ShopScope, accountId: string, to: string): Promise<void> {
  await database.transaction(({ db }) => askForAdvance(db, accountId, to))
}

export async function askForAdvance(db: Db, accountId: string, to: string): Promise<void> {
  await db.updateTable('account_clocks').set({ requested: to }).where('account_id', '=', accountId).execute()
}

/** Returns the state of a request: not begun, in progress, lost because its server stopped, or ended. */
export async function requestState(
  { read }: ShopScope,
  accountId: string,
): Promise<{ state: 'requested' | 'moving' | 'lost' | 'ended'; shown: string }> {
  const clock = await findClock(read, accountId)
  const realNow = currentTimestamp()
  const shown = shownBy(clock, realNow)
  if (clock.requested !== null) return { state: 'requested', shown }
  if (clock.advance_id === null) return { state: 'ended', shown }
  return { state: clock.leased_until !== null && clock.leased_until > realNow ? 'moving' : 'lost', shown }
}
