import { Ticket } from '../../queues/ticket.ts'

/**
 * SQLite begins its log of commits anew only when no snapshot reads from it, so snapshots that overlap without a pause would
 * let it grow for ever. From this size on they are made to pause.
 */
const LIMIT_BYTES = 64 * 1024 * 1024
/** Others must not wait long because somebody reads for seconds. */
const LONGEST_PAUSE_MS = 1_000

/** A snapshot that can be taken from its reader. */
export interface Revocable {
  revoke(): void
}

export interface LogLimitParts {
  /** Bytes of the log. */
  size(): number
  /** Runs `work` when no transaction is open. */
  betweenTurns(work: () => void): void
  /** Whether a commit may copy parts of a long log into the database by itself, which takes as long as there is to copy. */
  copyAtCommits(on: boolean): void
  /** Copies what is in the log into the database, in another thread. */
  copy(): Promise<void>
  /** Copies the rest and empties the log. */
  truncate(): void
}

/** Keeps the log of commits bounded: when it is too long, new snapshots wait until the open ones have ended. */
export class LogLimit {
  readonly #parts: LogLimitParts
  readonly #snapshots = new Set<Revocable>()
  readonly #waiting = new Set<Ticket<void>>()
  #pause: Promise<void> | undefined
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

  /** To be called after each commit. */
  noticeCommit(): void {
    if (!this.#pause && this.#parts.size() > LIMIT_BYTES) this.#pause = this.#shorten()
  }

  /** Resolves when no pause is under way. */
  async settled(): Promise<void> {
    await this.#pause
  }

  /** Never rejects: what could not be done is tried again at a later commit. */
  async #shorten(): Promise<void> {
    this.#parts.betweenTurns(() => this.#parts.copyAtCommits(false))
    await this.#untilNoneIsOpen()
    await this.#parts.copy().catch(() => {})
    await new Promise<void>((resolve) => {
      this.#parts.betweenTurns(() => {
        this.#emptyLog()
        resolve()
      })
    })
    this.#pause = undefined
    for (const ticket of this.#waiting) ticket.admit()
    this.#waiting.clear()
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
    try {
      this.#parts.copyAtCommits(true)
      this.#parts.truncate()
    } catch {
      // A full disk or another process prevents it.
    }
  }
}
