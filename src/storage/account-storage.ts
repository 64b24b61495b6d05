import { type Kysely, sql } from 'kysely'
import { currentTimestamp } from '../contract/values/values.ts'
import type { Database, Scope } from '../database/database.ts'
import { Newest } from '../newest.ts'
import type { Tables } from '../resources/tables.ts'
import { type CountedTable, countedTables, measureAccount, type TableUse } from './measure.ts'
import type { Bringer, Storage } from './room.ts'

/** What an account took when it was last measured, by any process. */
interface Measured {
  bytes: number
  /** ISO 8601, UTC. */
  at: string
}

/** Marks that an account was measured, also where it has no rows at all. */
const WHOLE = ''

/** Share of one's time that measuring an account may take. */
const MEASURING_SHARE = 1 / 10
/** An account is measured again when it has written this share of the room that it had. */
const ROOM_SHARE = 1 / 10

class AccountUse {
  /** As it was last measured; null until then. */
  #measured: Measured | null = null
  /** Bytes that this process has written since then. */
  #written = 0
  /** From `performance.now()` on it may be measured again. */
  #notBefore = Number.NEGATIVE_INFINITY

  get bytes(): number {
    return (this.#measured?.bytes ?? 0) + this.#written
  }

  get written(): number {
    return this.#written
  }

  get measuredAt(): string | null {
    return this.#measured?.at ?? null
  }

  get mayBeMeasured(): boolean {
    return performance.now() >= this.#notBefore
  }

  add(bytes: number): void {
    this.#written += bytes
  }

  /** Whether so much was written since the last measurement that the next should not wait for its hour. */
  hasGrown(limitBytes: number): boolean {
    const room = limitBytes - (this.#measured?.bytes ?? 0)
    return this.#written > Math.max(0, room) * ROOM_SHARE
  }

  /** Takes over a measurement; `counted` bytes of those written were in it. */
  settle(measured: Measured, counted: number, tookMs = 0): void {
    this.#measured = measured
    this.#written = Math.max(0, this.#written - counted)
    this.#notBefore = performance.now() + tookMs / MEASURING_SHARE
  }
}

/** Outsiders may fill this share of what an account may store. Above it there is room for those who buy, and then for the account itself. */
const OUTSIDER_SHARE = 0.8
const BUYER_SHARE = 0.9
/** Accounts that one process remembers; one that it has forgotten is read and measured again. */
const REMEMBERED = 20_000
/** Measurements in the background begin so long after they were asked for, so that a burst of requests comes first. */
const BACKGROUND_MS = 1_000
/** How long a request waits for a measurement that decides about it; then the last one decides. */
const LONGEST_WAIT_MS = 1_000
/** How often the replicas of one database look what the others have measured. */
export const SHARE_MS = 30_000

interface StorageOptions {
  limitBytes: number
  log: { error(details: object, message: string): void }
}

/**
 * Counts what each account stores. The sizes of what this process writes are added up in memory, and the rows are measured in
 * the background, so that no counter is written by requests. See `docs/decisions/0056-what-an-account-may-store.md`.
 */
export class AccountStorage implements Storage {
  readonly limitBytes: number
  readonly outsiderBytes: number
  readonly #log: StorageOptions['log']
  readonly #stop = new AbortController()
  #database!: Database<Tables>
  #tables: Promise<CountedTable[]> | undefined
  readonly #uses = new Newest<string, { use: AccountUse; read: Promise<void> | null }>(REMEMBERED)
  readonly #touched = new Set<string>()
  readonly #waiting = new Set<string>()
  #background: NodeJS.Timeout | null = null
  #last: Promise<void> = Promise.resolve()
  readonly #underWay = new Map<string, Promise<void>>()

  constructor({ limitBytes, log }: StorageOptions) {
    this.limitBytes = limitBytes
    this.outsiderBytes = limitBytes * OUTSIDER_SHARE
    this.#log = log
  }

  /** `database` is the one below the one whose writes are reported to `wrote`: measurements themselves do not count. */
  start(database: Database<Tables>): void {
    this.#database = database
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    clearTimeout(this.#background ?? undefined)
    await this.#last
  }

  /** Bytes that were written for an account; negative where they were undone. */
  readonly wrote = (accountId: string, bytes: number): void => {
    const { use } = this.#useOf(accountId)
    use.add(bytes)
    this.#touched.add(accountId)
    if (bytes > 0 && use.hasGrown(this.limitBytes)) this.#measureLater(accountId)
  }

  async hasRoom(accountId: string, bringer: Bringer): Promise<boolean> {
    const most = this.#mostFrom(bringer)
    const { use, read } = this.#useOf(accountId)
    if (read) await read
    if (use.bytes < most) return true
    // Something may have been deleted since, or counted that was undone.
    await this.refresh(accountId)
    return use.bytes < most
  }

  #mostFrom(bringer: Bringer): number {
    if (bringer === 'outsider') return this.outsiderBytes
    return bringer === 'buyer' ? this.limitBytes * BUYER_SHARE : this.limitBytes
  }

  async refresh(accountId: string): Promise<void> {
    if (!this.#useOf(accountId).use.mayBeMeasured) return
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, LONGEST_WAIT_MS)
    })
    await Promise.race([this.#measure(accountId), late])
    clearTimeout(timer)
  }

  /** Replicas: takes over what others have measured of the accounts that this process has written to. */
  async share(): Promise<void> {
    const touched = [...this.#touched]
    this.#touched.clear()
    for (const accountId of touched) await this.#readStored(accountId, this.#useOf(accountId).use)
  }

  #useOf(accountId: string) {
    const known = this.#uses.get(accountId)
    if (known) return known
    const made: { use: AccountUse; read: Promise<void> | null } = { use: new AccountUse(), read: null }
    this.#uses.set(accountId, made)
    made.read = this.#readStored(accountId, made.use).finally(() => {
      made.read = null
    })
    // What an earlier process wrote after its last measurement is known to nobody.
    this.#measureLater(accountId)
    return made
  }

  async #readStored(accountId: string, use: AccountUse): Promise<void> {
    try {
      const stored = await readMeasured(this.#database.read, accountId)
      // What this process wrote meanwhile may be in it: counted twice, until it measures the account itself.
      if (stored && stored.at > (use.measuredAt ?? '')) use.settle(stored, 0)
    } catch (error) {
      this.#failed(error, accountId)
    }
  }

  #measureLater(accountId: string): void {
    if (this.#stop.signal.aborted) return
    this.#waiting.add(accountId)
    this.#background ??= setTimeout(() => this.#measureWaiting(), BACKGROUND_MS).unref()
  }

  #measureWaiting(): void {
    this.#background = null
    for (const accountId of this.#waiting) {
      if (!this.#useOf(accountId).use.mayBeMeasured) continue
      this.#waiting.delete(accountId)
      void this.#measure(accountId)
    }
    if (this.#waiting.size > 0) this.#background = setTimeout(() => this.#measureWaiting(), BACKGROUND_MS).unref()
  }

  #measure(accountId: string): Promise<void> {
    const underWay = this.#underWay.get(accountId)
    if (underWay) return underWay
    const measured = this.#last.then(() => this.#measureNow(accountId))
    const done = measured
      .catch((error: unknown) => this.#failed(error, accountId))
      .finally(() => this.#underWay.delete(accountId))
    this.#underWay.set(accountId, done)
    this.#last = done
    return done
  }

  async #measureNow(accountId: string): Promise<void> {
    this.#stop.signal.throwIfAborted()
    const { use } = this.#useOf(accountId)
    const began = performance.now()
    const [counted, at] = [use.written, currentTimestamp()]
    this.#tables ??= countedTables(this.#database.read)
    const uses = await measureAccount(this.#database.read, await this.#tables, accountId, this.#stop.signal)
    const bytes = uses.reduce((sum, one) => sum + one.bytes, 0)
    use.settle({ bytes, at }, counted, performance.now() - began)
    await storeMeasured(this.#database, accountId, uses, at)
  }

  #failed(error: unknown, accountId: string): void {
    if (!this.#stop.signal.aborted) this.#log.error({ err: error, accountId }, 'An account could not be measured')
  }
}

/** Keeps a measurement in place of the one before, unless the account is gone or being deleted. */
export async function storeMeasured(
  database: Scope<Tables>,
  accountId: string,
  uses: TableUse[],
  measured_at: string,
): Promise<void> {
  await database.transaction(
    async ({ db }) => {
      await db.deleteFrom('storage_usage').where('account_id', '=', accountId).execute()
      const account = db
        .selectFrom('accounts')
        .select('id')
        .where('account_id', '=', accountId)
        .where(({ not, exists, selectFrom }) =>
          not(exists(selectFrom('account_deletions').select('id').where('id', '=', accountId))),
        )
      if (!(await account.executeTakeFirst())) return
      const row = ({ name, bytes, rows }: TableUse) => ({
        account_id: accountId,
        table_name: name,
        bytes,
        row_count: rows,
        measured_at,
      })
      await db
        .insertInto('storage_usage')
        .values([row({ name: WHOLE, bytes: 0, rows: 0 }), ...uses.map(row)])
        .execute()
    },
    { patient: true },
  )
}

/** Null where the account was never measured. */
async function readMeasured(db: Kysely<Tables>, accountId: string): Promise<Measured | null> {
  const { bytes, at } = await db
    .selectFrom('storage_usage')
    .where('account_id', '=', accountId)
    .select([sql<number | null>`sum(bytes)`.as('bytes'), sql<string | null>`max(measured_at)`.as('at')])
    .executeTakeFirstOrThrow()
  return at === null ? null : { bytes: Number(bytes ?? 0), at }
}
