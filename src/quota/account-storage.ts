import { sql } from 'kysely'
import { currentTimestamp } from '../contract/values/values.ts'
import type { Db, ShopDatabase, ShopScope } from '../resources/tables.ts'
import { BoundedMap } from '../runtime/bounded-map.ts'
import { type CountedTable, countedTables, measureAccount, type TableUse } from './measure.ts'
import type { Bringer, Storage } from './room.ts'

interface Measured {
  bytes: number
  /** ISO 8601 in UTC. */
  at: string
}

/** The `table_name` of a marker row, which records that an account was measured even if it has no rows. */
const MEASURED_MARKER = ''

/** The maximum share of a process's time that measuring one account may take. */
const MEASURING_SHARE = 1 / 10
/** An account is measured again after it has used this share of the space that was free at the last measurement. */
const ROOM_SHARE = 1 / 10

class AccountUse {
  #measured: Measured | null = null
  #written = 0
  /** The earliest time of the next measurement, by `performance.now()`. */
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

  /** Returns whether so much was written since the last measurement that the next one should take place now. */
  hasGrown(limitBytes: number): boolean {
    const room = limitBytes - (this.#measured?.bytes ?? 0)
    return this.#written > Math.max(0, room) * ROOM_SHARE
  }

  /** Replaces the measurement. `counted` is the part of the written bytes that it already includes. */
  settle(measured: Measured, counted: number, tookMs = 0): void {
    this.#measured = measured
    this.#written = Math.max(0, this.#written - counted)
    this.#notBefore = performance.now() + tookMs / MEASURING_SHARE
  }
}

/** The share of an account's limit that outsiders may fill. Buyers may fill the next part, and only the account itself the rest. */
const OUTSIDER_SHARE = 0.8
const BUYER_SHARE = 0.9
/** The number of accounts that one process caches. An account that was evicted is measured again. */
const REMEMBERED = 20_000
/** The delay before a background measurement, so that a burst of requests is served first. */
const BACKGROUND_MS = 1_000
/** The maximum time that a request waits for a measurement. After it, the last measurement decides. */
const LONGEST_WAIT_MS = 1_000
/** The interval at which replicas on one database read each other's measurements. */
export const SHARE_MS = 30_000

interface StorageOptions {
  limitBytes: number
  log: { error(details: object, message: string): void }
}

/**
 * Counts what each account stores. Adds up the sizes of this process's writes in memory and measures the rows in the background, so that
 * requests write no counter. See `docs/decisions/0056-what-an-account-may-store.md`.
 */
export class AccountStorage implements Storage {
  readonly limitBytes: number
  readonly outsiderBytes: number
  readonly #log: StorageOptions['log']
  readonly #stop = new AbortController()
  #database!: ShopDatabase
  #tables: Promise<CountedTable[]> | undefined
  readonly #uses = new BoundedMap<string, { use: AccountUse; read: Promise<void> | null }>(REMEMBERED)
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

  /** Sets the database for measurements. It does not report its writes to `wrote`, so stored measurements are not counted. */
  start(database: ShopDatabase): void {
    this.#database = database
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    clearTimeout(this.#background ?? undefined)
    await this.#last
  }

  /** Adds the bytes that were written for an account; the number is negative after a rollback. */
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
    // The count may be too high: rows may have been deleted, or counted in a transaction that was rolled back.
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

  /** Reads the other replicas' measurements of the accounts that this process has written to. */
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
    // An earlier process may have written rows after its last measurement, which no process has counted.
    this.#measureLater(accountId)
    return made
  }

  async #readStored(accountId: string, use: AccountUse): Promise<void> {
    try {
      const stored = await readMeasured(this.#database.read, accountId)
      // This measurement may include writes of this process, which then count twice until this process measures the account itself.
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

/** Replaces the stored measurement, unless the account is deleted or being deleted. */
export async function storeMeasured(
  database: ShopScope,
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
        .values([row({ name: MEASURED_MARKER, bytes: 0, rows: 0 }), ...uses.map(row)])
        .execute()
    },
    { lowPriority: true },
  )
}

/** Returns an account's stored measurement, or null if it was never measured. */
async function readMeasured(db: Db, accountId: string): Promise<Measured | null> {
  const { bytes, at } = await db
    .selectFrom('storage_usage')
    .where('account_id', '=', accountId)
    .select([sql<number | null>`sum(bytes)`.as('bytes'), sql<string | null>`max(measured_at)`.as('at')])
    .executeTakeFirstOrThrow()
  return at === null ? null : { bytes: bytes ?? 0, at }
}
