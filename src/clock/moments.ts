import { currentTimestamp } from '../contract/values/values.ts'
import { compileOnce } from '../database/compile-once.ts'
import type { Db } from '../resources/tables.ts'
import { BoundedMap } from '../runtime/bounded-map.ts'
import { shownBy } from './account-clock.ts'

/** The current time by the account's clock and the real time, both in UTC and in the format of responses. */
export interface Moments {
  /** The time by the account's clock, for dates, periods and due jobs. */
  readonly now: string
  /** The real time, for tokens, limits, leases, retry delays and the retention of records. */
  readonly realNow: string
  /** Whether the account is a test account, whose clock can be moved forward. */
  readonly test: boolean
}

/** The maximum number of accounts in the cache, which holds whether each is a test account. That never changes. */
const MOST_KNOWN = 50_000

const testOf = compileOnce((db: Db, accountId: string) =>
  db.selectFrom('accounts').select('test').where('account_id', '=', accountId).where('id', '=', accountId),
)

const clockOf = compileOnce((db: Db, accountId: string) =>
  db.selectFrom('account_clocks').select(['moment', 'since', 'advance_id']).where('account_id', '=', accountId),
)

/** Reads the clocks of accounts. A live account that is in the cache needs no query. */
export class AccountClocks {
  readonly #test = new BoundedMap<string, boolean>(MOST_KNOWN)

  /** Returns the times of an account. `db` reads a test account's clock, so it also sees changes in its own transaction. */
  async momentsOf(db: Db, accountId: string): Promise<Moments> {
    const realNow = currentTimestamp()
    const test = this.#test.get(accountId) ?? (await this.#lookUp(db, accountId))
    if (!test) return { now: realNow, realNow, test }
    const [clock] = await clockOf(db, accountId)
    return { now: clock ? shownBy(clock, realNow) : realNow, realNow, test }
  }

  async #lookUp(db: Db, accountId: string): Promise<boolean> {
    const [account] = await testOf(db, accountId)
    if (!account) return false
    this.#test.set(accountId, account.test === 1)
    return account.test === 1
  }
}
