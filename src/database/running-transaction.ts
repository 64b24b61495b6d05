import { AsyncLocalStorage } from 'node:async_hooks'
import type { Kysely } from 'kysely'
import type { Transaction } from './database.ts'

/** Runs a transaction command such as `savepoint part_1` on the unit's connection. */
export type RunCommand = (sql: string) => Promise<void> | void

/** What a unit needs of its connection, besides the queries. */
interface Connection {
  readonly command: RunCommand
  /** See `Unit`; absent where every statement is carried out when it is sent. */
  readonly settled?: (() => Promise<void>) | undefined
}

export interface UnitOptions {
  /** Whether the end of the transaction waits for what was sent. */
  settlesAtEnd?: boolean
}

interface Running {
  readonly owner: object
  readonly open: boolean
}

const running = new AsyncLocalStorage<{ unit: Running; depth: number }>()

/** The unit that both engines hand to the work of a transaction; it counts the savepoints that are open in it. */
export class RunningTransaction<Tables> implements Transaction<Tables>, Running {
  readonly db: Kysely<Tables>
  readonly owner: object
  readonly settlesAtEnd: boolean
  readonly #connection: Connection
  #depth = 0
  open = true

  /** `owner` is the database, or the open transaction, whose `transaction` made this unit. */
  constructor(owner: object, db: Kysely<Tables>, connection: Connection, { settlesAtEnd = false }: UnitOptions = {}) {
    this.settlesAtEnd = settlesAtEnd
    this.owner = owner
    this.db = db
    this.#connection = connection
  }

  /** Runs the work of the whole unit, after which the unit accepts no savepoint. */
  async run<Result>(work: (unit: Transaction<Tables>) => Promise<Result>): Promise<Result> {
    try {
      const result = await running.run({ unit: this, depth: 0 }, work, this)
      if (!this.settlesAtEnd) await this.settled()
      return result
    } finally {
      this.open = false
    }
  }

  async settled(): Promise<void> {
    await this.#connection.settled?.()
  }

  async savepoint<Result>(work: () => Promise<Result>): Promise<Result> {
    if (!this.open) throw new Error('This transaction has ended: await everything inside its work.')
    const part = running.getStore()
    if ((part?.unit === this ? part.depth : 0) !== this.#depth) {
      throw new Error('Savepoints of one transaction must not overlap: await one before opening the next.')
    }
    this.#depth += 1
    try {
      return await inSavepoint(this.#connection.command, `part_${this.#depth}`, () =>
        running.run({ unit: this, depth: this.#depth }, work),
      )
    } finally {
      this.#depth -= 1
    }
  }

  /** Throws when called inside a running unit of `owner`: waiting there for another turn would wait for ever. */
  static refuseInside(owner: object): void {
    const unit = running.getStore()?.unit
    if (unit?.open && unit.owner === owner) {
      throw new Error('A transaction is already running here: use its Unit, and Unit.savepoint for a part of it.')
    }
  }
}

/** Runs `work` between `savepoint` and `release`; a rejection rolls back to the savepoint and is passed on. */
export async function inSavepoint<Result>(
  command: RunCommand,
  name: string,
  work: () => Promise<Result>,
): Promise<Result> {
  await command(`savepoint ${name}`)
  try {
    const result = await work()
    await command(`release savepoint ${name}`)
    return result
  } catch (error) {
    await undo(command, name)
    throw error
  }
}

/** A savepoint that cannot be undone has gone with its whole transaction, whose commit then fails. */
async function undo(command: RunCommand, name: string): Promise<void> {
  try {
    await command(`rollback to savepoint ${name}`)
    await command(`release savepoint ${name}`)
  } catch {}
}
