import type { Kysely } from 'kysely'
import { ApiError } from '../../contract/errors.ts'
import { ConflictError, type Database, type OpenTransaction, type Scope, type Unit } from '../../database/database.ts'

/** A call of a program that has already ended tried to read or write: a refusal, so that no one looks for a fault. */
export class ProgramEndedError extends ApiError {
  override name = 'ProgramEndedError'

  constructor() {
    super('invalid_state', 'The program ended before this call was carried out; nothing of it was kept.')
  }
}

/**
 * Where the calls of one run of a program read and write. Together (the default): the first write opens a transaction,
 * every later write is a savepoint of it, and `commit` or `rollback` decides over all. Separately: each call commits by
 * itself.
 *
 * Once `commit` or `rollback` is called, the gate is shut before anything else happens: a call still under way can begin
 * nothing new, and what it has begun is awaited before the transaction ends. No write can land afterwards.
 */
export class ProgramScope<Tables> implements Scope<Tables> {
  readonly #database: Database<Tables>
  readonly #together: boolean
  readonly #stop = new AbortController()
  readonly #underWay = new Set<Promise<unknown>>()
  #opening: Promise<OpenTransaction<Tables>> | null = null
  #opened: OpenTransaction<Tables> | null = null
  #ended = false
  /** Writes that were kept on their own. */
  committedAlone = 0
  /** Another transaction got there first: the run cannot be committed any more. */
  conflict: ConflictError | null = null

  constructor(database: Database<Tables>, together: boolean) {
    this.#database = database
    this.#together = together
  }

  get read(): Kysely<Tables> {
    if (this.#ended) throw new ProgramEndedError()
    return (this.#opened ?? this.#database).read
  }

  transaction<Result>(work: (unit: Unit<Tables>) => Promise<Result>): Promise<Result> {
    const running = this.#together ? this.#asSavepoint(work) : this.#alone(work)
    this.#underWay.add(running)
    const done = () => this.#underWay.delete(running)
    running.then(done, done)
    return running
  }

  /** Keeps what was written. Rejects with ConflictError when the run has to be repeated; nothing is kept then. */
  async commit(): Promise<void> {
    const open = await this.#end()
    if (this.conflict !== null) {
      await open?.rollback()
      throw this.conflict
    }
    await open?.commit()
  }

  /** Undoes what was written together. */
  async rollback(): Promise<void> {
    const open = await this.#end()
    await open?.rollback()
  }

  async #asSavepoint<Result>(work: (unit: Unit<Tables>) => Promise<Result>): Promise<Result> {
    const open = await this.#open()
    if (this.#ended) throw new ProgramEndedError()
    try {
      return await open.transaction(work)
    } catch (error) {
      if (error instanceof ConflictError) this.conflict = error
      throw error
    }
  }

  async #alone<Result>(work: (unit: Unit<Tables>) => Promise<Result>): Promise<Result> {
    const result = await this.#database
      .transaction((unit) => {
        // It may have waited long for the writer.
        if (this.#ended) throw new ProgramEndedError()
        return work(unit)
      })
      .catch(refusedWhenConflicting)
    this.committedAlone += 1
    return result
  }

  #open(): Promise<OpenTransaction<Tables>> {
    if (this.#ended) return Promise.reject(new ProgramEndedError())
    this.#opening ??= this.#begin()
    return this.#opening
  }

  async #begin(): Promise<OpenTransaction<Tables>> {
    try {
      this.#opened = await this.#database.begin({ signal: this.#stop.signal })
      return this.#opened
    } catch (error) {
      this.#opening = null
      throw this.#ended ? new ProgramEndedError() : error
    }
  }

  /** Shuts the gate, gives up waiting for the writer, and awaits what is under way. */
  async #end(): Promise<OpenTransaction<Tables> | null> {
    this.#ended = true
    if (this.#opened === null) this.#stop.abort()
    await Promise.allSettled([...this.#underWay])
    return this.#opened
  }
}

/** A call that commits by itself is refused alone: running the program again would repeat what it has kept already. */
function refusedWhenConflicting(error: unknown): never {
  if (!(error instanceof ConflictError)) throw error
  throw new ApiError('overloaded', 'Too many requests change the same things right now.', {
    headers: { 'Retry-After': '1' },
  })
}
