import { AsyncLocalStorage } from 'node:async_hooks'
import type { Kysely } from 'kysely'
import type { Transaction } from './database.ts'

/** Runs a command that controls the transaction, such as `savepoint part_1`. */
export type RunCommand = (sql: string) => Promise<void> | void

interface Connection {
  readonly command: RunCommand
  /** See `Transaction.settled`. Absent if every statement runs as soon as it is sent. */
  readonly settled?: (() => Promise<void>) | undefined
}

export interface RunningTransactionOptions {
  settlesAtEnd?: boolean
}

interface Running {
  readonly owner: object
  readonly open: boolean
}

const running = new AsyncLocalStorage<{ unit: Running; depth: number }>()

/** The transaction that either engine passes to the callback `work`. */
export class RunningTransaction<Tables> implements Transaction<Tables>, Running {
  readonly db: Kysely<Tables>
  readonly owner: object
  readonly settlesAtEnd: boolean
  readonly #connection: Connection
  #depth = 0
  open = true

  /** `owner` is the object whose method `transaction` was called: a database or an open transaction. */
  constructor(
    owner: object,
    db: Kysely<Tables>,
    connection: Connection,
    { settlesAtEnd = false }: RunningTransactionOptions = {},
  ) {
    this.settlesAtEnd = settlesAtEnd
    this.owner = owner
    this.db = db
    this.#connection = connection
  }

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

  /** Throws if it is called inside a running transaction of `owner`, which would wait for itself forever. */
  static refuseInside(owner: object): void {
    const unit = running.getStore()?.unit
    if (unit?.open && unit.owner === owner) {
      throw new Error(
        'A transaction is already running here: use its Transaction, and Transaction.savepoint for a part of it.',
      )
    }
  }
}

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

async function undo(command: RunCommand, name: string): Promise<void> {
  try {
    await command(`rollback to savepoint ${name}`)
    await command(`release savepoint ${name}`)
  } catch {}
}
