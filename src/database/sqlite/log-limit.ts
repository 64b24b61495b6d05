import { Ticket } from '../../concurrency/ticket.ts'

/** What is in the log of commits, in pages: each takes 4 KiB there, and 24 bytes that say which it is. */
export interface LogPages {
  inLog: number
  /** Of these, those that have been copied into the database. */
  copied: number
}

const MIB_PAGES = Math.floor((1024 * 1024) / (4_096 + 24))
/** So much is copied at a time: the disk is not busy with it for long, and commits wait for the same disk. */
const STEP_PAGES = 4 * MIB_PAGES
/** From this size on the log should begin anew, for which the last of it has to be copied while nobody writes. */
const KEPT_PAGES = 16 * MIB_PAGES
/** The last of it is no more than this, unless the writers are faster than the disk again and again. */
const LAST_PAGES = Math.floor(MIB_PAGES / 2)
const LAST_TRIES = 4
/**
 * SQLite begins its log of commits anew only when no snapshot reads from it, so snapshots that overlap without a pause would
 * let it grow for ever. From this size on they are made to pause.
 */
const LIMIT_PAGES = 64 * MIB_PAGES
/** Others must not wait long because somebody reads for seconds. */
const LONGEST_PAUSE_MS = 1_000

/** A snapshot that can be taken from its reader. */
export interface Revocable {
  revoke(): void
}

export interface LogLimitParts {
  pages(): LogPages
  /** Runs `work` when no transaction is open. */
  betweenTurns(work: () => void): void
  /** Copies what is in the log into the database, in another thread. */
  copy(): Promise<void>
  /** Copies the rest at once, so that the next commit begins the log anew unless a snapshot reads from it. */
  copyRest(): void
  /** As `copyRest`, and empties the log. */
  truncate(): void
}

/**
 * Keeps the log of commits short: another thread copies it in small steps. When it becomes too long all the same, new snapshots
 * wait until the open ones have ended.
 */
export class LogLimit {
  readonly #parts: LogLimitParts
  readonly #snapshots = new Set<Revocable>()
  readonly #waiting = new Set<Ticket<void>>()
  #step: Promise<void> | undefined
  /** The log had so many pages when they were copied last, as far as snapshots allowed it. */
  #triedAt = 0
  #pause: Promise<void> | undefined
  /** A pause was of no use, because another process reads: there is none before the log has so many pages. */
  #patientUntil = 0
  #noneIsOpen: (() => void) | undefined

  constructor(parts: LogLimitParts) {
    this.#parts = parts
  }

  /** Undefined when a snapshot may begin at once. An abort while waiting rejects with the signal's reason. */
  admit(signal: AbortSignal | undefined): Promise<void> | undefined {
    if (!this.#pause) return undefined
    signal?.throwIfAborted()
    const ticket = new Ticket<void>(undefined, (left) => this.#waiting.delete(left), signal)
    this.#waiting.add(ticket)
    return ticket.admitted
  }

  snapshotBegan(snapshot: Revocable): void {
    this.#snapshots.add(snapshot)
  }

  snapshotEnded(snapshot: Revocable): void {
    this.#snapshots.delete(snapshot)
    if (this.#snapshots.size === 0) this.#noneIsOpen?.()
  }

  /** To be called after each commit, while no transaction is open. */
  noticeCommit(): void {
    if (this.#pause) return
    const { inLog, copied } = this.#parts.pages()
    if (inLog < this.#triedAt) this.#triedAt = 0
    if (inLog <= LIMIT_PAGES) this.#patientUntil = 0
    if (inLog > Math.max(LIMIT_PAGES, this.#patientUntil)) this.#pause = this.#shorten()
    else if (this.#step) return
    else if (inLog >= KEPT_PAGES && inLog > copied && inLog - copied <= LAST_PAGES)
      this.#unlessItFails(this.#parts.copyRest)
    else if (inLog - Math.max(copied, this.#triedAt) >= STEP_PAGES) this.#step = this.#copyStep(inLog)
  }

  /** Resolves when nothing is under way. */
  async settled(): Promise<void> {
    await this.#step
    await this.#pause
  }

  /** Never rejects: what could not be done is tried again at a later commit. */
  async #copyStep(inLog: number): Promise<void> {
    this.#triedAt = inLog
    try {
      await this.#parts.copy()
      if (inLog < KEPT_PAGES) return
      // Little is left then for the next commit, which begins the log anew.
      for (let tries = 0; tries < LAST_TRIES && this.#uncopied > LAST_PAGES; tries++) await this.#parts.copy()
    } catch {
      // A full disk or another process prevents it.
    } finally {
      this.#step = undefined
    }
  }

  get #uncopied(): number {
    const { inLog, copied } = this.#parts.pages()
    return inLog - copied
  }

  /** Never rejects, as above. */
  async #shorten(): Promise<void> {
    await this.#step
    await this.#untilNoneIsOpen()
    try {
      await this.#parts.copy()
      if (this.#uncopied > LAST_PAGES) await this.#parts.copy()
    } catch {
      // Then the writer copies it.
    }
    await new Promise<void>((resolve) => {
      this.#parts.betweenTurns(() => {
        this.#unlessItFails(() => this.#emptyLog())
        resolve()
      })
    })
    this.#pause = undefined
    for (const ticket of this.#waiting) ticket.admit()
    this.#waiting.clear()
  }

  /** A full disk or another process may prevent it. */
  #unlessItFails(work: () => void): void {
    try {
      work()
    } catch {
      // Tried again at a later commit.
    }
  }

  /** Whoever still reads after the longest pause loses the snapshot. */
  async #untilNoneIsOpen(): Promise<void> {
    if (this.#snapshots.size === 0) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#noneIsOpen = resolve
    const timer = setTimeout(() => {
      for (const snapshot of this.#snapshots) snapshot.revoke()
    }, LONGEST_PAUSE_MS)
    await promise
    clearTimeout(timer)
    this.#noneIsOpen = undefined
  }

  #emptyLog(): void {
    this.#parts.truncate()
    const { inLog } = this.#parts.pages()
    if (inLog > LIMIT_PAGES) this.#patientUntil = inLog + LIMIT_PAGES
  }
}
