import type { Kysely } from 'kysely'
import { currentTimestamp } from '../contract/values/values.ts'
import { compileOnce } from '../database/compile-once.ts'
import { Newest } from '../newest.ts'
import type { Tables } from '../resources/tables.ts'
import { shownBy } from './account-clock.ts'

/** The present, as an account and as the rest of the world see it; both in UTC as answers write them. */
export interface Moments {
  /** The present by the account's clock: dates, windows and what falls due. */
  readonly now: string
  /** The system's time: tokens, limits, leases, pauses between attempts, and how long records are kept. */
  readonly realNow: string
  /** Whether it is a test account, whose clock can be moved forward. */
  readonly test: boolean
}

/** Accounts that are remembered as live or test accounts, which never changes. */
const MOST_KNOWN = 50_000

const testOf = compileOnce((db: Kysely<Tables>, accountId: string) =>
  db.selectFrom('accounts').select('test').where('account_id', '=', accountId).where('id', '=', accountId),
)

const clockOf = compileOnce((db: Kysely<Tables>, accountId: string) =>
  db.selectFrom('account_clocks').select(['moment', 'since', 'advance_id']).where('account_id', '=', accountId),
)

/** Reads the clocks of accounts. For a live account that is known already, it asks the database nothing. */
export class AccountClocks {
  readonly #test = new Newest<string, boolean>(MOST_KNOWN)

  /** The present of an account. A test account's clock is read through `db`, as its transaction sees it. */
  async momentsOf(db: Kysely<Tables>, accountId: string): Promise<Moments> {
    const realNow = currentTimestamp()
    const test = this.#test.get(accountId) ?? (await this.#lookUp(db, accountId))
    if (!test) return { now: realNow, realNow, test }
    const [clock] = await clockOf(db, accountId)
    return { now: clock ? shownBy(clock, realNow) : realNow, realNow, test }
  }

  async #lookUp(db: Kysely<Tables>, accountId: string): Promise<boolean> {
    const [account] = await testOf(db, accountId)
    if (!account) return false
    this.#test.set(accountId, account.test === 1)
    return account.test === 1
  }
}
