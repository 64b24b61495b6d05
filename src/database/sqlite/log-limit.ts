import { Ticket } from '../../concurrency/ticket.ts'

/** Each page takes 4 KiB and a header of 24 bytes in the log. */
export interface LogPages {
  inLog: number
  /** The pages in the log that have already been copied into the database. */
  copied: number
}

const MIB_PAGES = Math.floor((1024 * 1024) / (4_096 + 24))
/** The number of new pages at which the next copy starts. The steps are small, because commits wait for the same disk. */
const STEP_PAGES = 4 * MIB_PAGES
/** From this size on, the log should restart at its beginning. For this, the last pages must be copied while no one writes. */
const KEPT_PAGES = 16 * MIB_PAGES
/** The maximum number of pages for that last copy. It is exceeded only while writes are faster than the disk. */
const LAST_PAGES = Math.floor(MIB_PAGES / 2)
const LAST_TRIES = 4
/**
 * From this size of the log on, new snapshots have to wait. SQLite restarts its log only when no snapshot reads from it, so snapshots
 * that overlap without a pause would let the log grow forever.
 */
const LIMIT_PAGES = 64 * MIB_PAGES
/** After this time, open snapshots are revoked, so that waiting ones can begin. */
const LONGEST_PAUSE_MS = 1_000

export interface Revocable {
  revoke(): void
}

export interface LogLimitParts {
  pages(): LogPages
  /** Runs `work` when no transaction is open. */
  betweenTurns(work: () => void): void
  copy(): Promise<void>
  /** Copies the remaining pages synchronously. The next commit then restarts the log unless a snapshot reads from it. */
  copyRest(): void
  /** Like `copyRest`, and also truncates the log file. */
  truncate(): void
}

/**
 * Keeps the write-ahead log short: a separate thread copies it in small steps. If the log still becomes too long, new snapshots wait
 * until the open ones have ended.
 */
export class LogLimit {
  readonly #parts: LogLimitParts
  readonly #snapshots = new Set<Revocable>()
  readonly #waiting = new Set<Ticket<void>>()
  #step: Promise<void> | undefined
  /** The number of pages in the log at the last copy. Open snapshots may have kept some of them from being copied. */
  #triedAt = 0
  #pause: Promise<void> | undefined
  /**
   * Up to this log size, snapshots do not wait again, because the last wait did not shorten the log, which another process read.
   */
  #patientUntil = 0
  #noneIsOpen: (() => void) | undefined

  constructor(parts: LogLimitParts) {
    this.#parts = parts
  }

  /** Admits a new snapshot. Returns undefined if it may begin at once. An abort while waiting rejects with the signal's reason. */
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

  /** Checks the size of the log. Call it after each commit, while no transaction is open. */
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

  async settled(): Promise<void> {
    await this.#step
    await this.#pause
  }

  /** Copies the log without waiting for snapshots. Never rejects, because a later commit tries again. */
  async #copyStep(inLog: number): Promise<void> {
    this.#triedAt = inLog
    try {
      await this.#parts.copy()
      if (inLog < KEPT_PAGES) return
      // Copies until only a few pages remain, so that the next commit can copy the rest and restart the log.
      for (let tries = 0; tries < LAST_TRIES && this.#uncopied > LAST_PAGES; tries++) await this.#parts.copy()
    } catch {
      // A full disk or another process can prevent the copy.
    } finally {
      this.#step = undefined
    }
  }

  get #uncopied(): number {
    const { inLog, copied } = this.#parts.pages()
    return inLog - copied
  }

  async #shorten(): Promise<void> {
    await this.#step
    await this.#untilNoneIsOpen()
    try {
      await this.#parts.copy()
      if (this.#uncopied > LAST_PAGES) await this.#parts.copy()
    } catch {
      // In this case, `truncate` copies everything on the writing connection.
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

  /** Ignores an error, because a full disk or another process may prevent `work`. */
  #unlessItFails(work: () => void): void {
    try {
      work()
    } catch {
      // A later commit tries again.
    }
  }

  /** Waits until no snapshot is open. Revokes those that are still open after `LONGEST_PAUSE_MS`. */
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
