import type { Kysely } from 'kysely'
import type { OpenTransaction, Unit } from './database.ts'
import { inSavepoint, OpenUnit, type RunCommand } from './unit.ts'

/** One transaction as an engine holds it. `end` is called once and gives the connection back, whatever happens. */
export interface Session<Tables> {
  readonly db: Kysely<Tables>
  readonly command: RunCommand
  end(how: 'commit' | 'rollback'): Promise<void>
}

/** A program's transaction on either engine; calls of `transaction` run one after the other, each as a savepoint. */
export class HeldTransaction<Tables> implements OpenTransaction<Tables> {
  readonly read: Kysely<Tables>
  readonly #session: Session<Tables>
  #last: Promise<unknown> = Promise.resolve()
  #ended = false

  constructor(session: Session<Tables>) {
    this.#session = session
    this.read = session.db
  }

  async transaction<Result>(work: (unit: Unit<Tables>) => Promise<Result>): Promise<Result> {
    OpenUnit.refuseInside(this)
    const result = this.#last.then(() => this.#run(work))
    this.#last = result.catch(() => {})
    return result
  }

  async commit(): Promise<void> {
    await this.#last
    this.#refuseEnded()
    this.#ended = true
    await this.#session.end('commit')
  }

  async rollback(): Promise<void> {
    await this.#last
    if (this.#ended) return
    this.#ended = true
    await this.#session.end('rollback')
  }

  #run<Result>(work: (unit: Unit<Tables>) => Promise<Result>): Promise<Result> {
    this.#refuseEnded()
    const { db, command } = this.#session
    return inSavepoint(command, 'call', () => new OpenUnit(this, db, command).run(work))
  }

  #refuseEnded(): void {
    if (this.#ended) throw new Error('This transaction has ended already.')
  }
}
