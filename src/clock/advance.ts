import { newId } from '../contract/values/ids.ts'
import { currentTimestamp, timestampOf } from '../contract/values/values.ts'
import type { AccountClockRow } from '../database/system-tables.ts'
import type { Db, ShopScope } from '../resources/tables.ts'
import { shownBy } from './account-clock.ts'

/** The lease of a process that moves a clock. If it is not renewed in time, another process may take over. */
export const ADVANCE_LEASE_MS = 10_000
/** The maximum length of one advance, in which a daily job becomes due 3,650 times. */
const LONGEST_YEARS = 10

/** Thrown when a clock cannot be moved. The message is a sentence for the person who requested it. */
export class ClockError extends Error {}

export class ClockBusyError extends ClockError {}

export interface Advance {
  id: string
  accountId: string
  from: string
  to: string
}

/** Stops a test account's clock and begins to move it, from the time that a lost advance had reached, if any. Throws ClockError. */
export function beginAdvance(database: ShopScope, accountId: string, to: string): Promise<Advance> {
  return database.transaction(
    async ({ db }) => {
      const clock = await findClock(db, accountId)
      const realNow = currentTimestamp()
      refuseBusy(clock, realNow)
      const from = shownBy(clock, realNow)
      refuseTarget(from, to)
      const advance = { id: newId('adv'), accountId, from, to }
      const begun = { moment: from, advance_id: advance.id, target: to, leased_until: leaseEnd(), requested: null }
      await db.updateTable('account_clocks').set(begun).where('account_id', '=', accountId).execute()
      return advance
    },
    { account: accountId },
  )
}

/** Deletes the request of a command-line call to move the clock of an account. */
export async function dropRequest(database: ShopScope, accountId: string): Promise<void> {
  await database.transaction(({ db }) =>
    db.updateTable('account_clocks').set({ requested: null }).where('account_id', '=', accountId).execute(),
  )
}

/** Returns the clock of a test account. Throws ClockError for a live account. */
export async function findClock(db: Db, accountId: string): Promise<AccountClockRow> {
  const clock = db.selectFrom('account_clocks').selectAll().where('account_id', '=', accountId)
  const found = await clock.executeTakeFirst()
  if (found) return found
  throw new ClockError('Only test accounts have a clock that can be moved; npm run account -- create --test makes one.')
}

export function refuseTarget(from: string, to: string): void {
  if (to <= from) throw new ClockError(`The clock only moves forward: it shows ${from}, which is not before ${to}.`)
  const furthest = `${Number(from.slice(0, 4)) + LONGEST_YEARS}${from.slice(4)}`
  if (to > furthest)
    throw new ClockError(`One advance can cover at most ${LONGEST_YEARS} years: here up to ${furthest}, not ${to}.`)
}

function refuseBusy({ advance_id, leased_until, target }: AccountClockRow, realNow: string): void {
  if (advance_id !== null && leased_until !== null && leased_until > realNow)
    throw new ClockBusyError(`The clock is already being moved to ${target}.`)
}

/** Sets the clock within a transaction and renews the lease. Throws ClockBusyError if another process has taken over the advance. */
export async function moveTo(db: Db, { id, accountId }: Advance, moment?: string): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('account_clocks')
    .set({ ...(moment !== undefined && { moment }), leased_until: leaseEnd() })
    .where('account_id', '=', accountId)
    .where('advance_id', '=', id)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw new ClockBusyError('Another process is already moving this clock.')
}

/** Asks the process that moves a clock to stop at the time reached, and deletes a request that has not begun. */
export async function stopAdvance(database: ShopScope, accountId: string): Promise<void> {
  await database.transaction(({ db }) =>
    db
      .updateTable('account_clocks')
      .set({ target: null, requested: null })
      .where('account_id', '=', accountId)
      .execute(),
  )
}

export async function isStopped({ read }: Pick<ShopScope, 'read'>, { accountId }: Advance): Promise<boolean> {
  const clock = read.selectFrom('account_clocks').select('target').where('account_id', '=', accountId)
  return (await clock.executeTakeFirst())?.target == null
}

/** Lets the clock run again, from the given time or from the time reached. */
export async function endAdvance(database: ShopScope, { id, accountId }: Advance, moment?: string): Promise<void> {
  const atRest = { advance_id: null, target: null, leased_until: null, since: currentTimestamp() }
  await database.transaction(
    ({ db }) =>
      db
        .updateTable('account_clocks')
        .set({ ...(moment !== undefined && { moment }), ...atRest })
        .where('account_id', '=', accountId)
        .where('advance_id', '=', id)
        .execute(),
    { account: accountId },
  )
}

function leaseEnd(): string {
  return timestampOf(new Date(Date.now() + ADVANCE_LEASE_MS))
}
