import { setTimeout as delay } from 'node:timers/promises'
import { Ticket } from '../ticket.ts'

/**
 * SQLite begins its log of commits anew only when no snapshot reads from it, so snapshots that overlap without a pause would
 * let it grow for ever. From this size on they are made to pause.
 */
export const LOG_LIMIT_BYTES = 64 * 1024 * 1024
/** A program ends within 5 seconds, and its snapshot with it. */
const LONGEST_PAUSE_MS = 5_000

export interface LogLimitParts {
  /** Bytes of the log. */
  size(): number
  /** Runs `work` when no transaction is open. */
  betweenTurns(work: () => void): void
  /** Copies the log into the database and empties it. */
  truncate(): void
}

/** Keeps the log of commits bounded: when it is too long, new snapshots wait until the open ones have ended. */
export class LogLimit {
  readonly #parts: LogLimitParts
  readonly #waiting = new Set<Ticket<void>>()
  #snapshots = 0
  /** Ends the pause that is under way. */
  #pause: AbortController | undefined

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

  snapshotBegan(): void {
    this.#snapshots += 1
  }

  snapshotEnded(): void {
    this.#snapshots -= 1
    if (this.#pause && this.#snapshots === 0) this.#truncate()
  }

  /** To be called after each commit. */
  noticeCommit(): void {
    if (this.#pause || this.#parts.size() <= LOG_LIMIT_BYTES) return
    const pause = new AbortController()
    this.#pause = pause
    delay(LONGEST_PAUSE_MS, undefined, { signal: pause.signal, ref: false }).then(
      () => this.#end(pause),
      () => {},
    )
    if (this.#snapshots === 0) this.#truncate()
  }

  #truncate(): void {
    const pause = this.#pause!
    this.#parts.betweenTurns(() => {
      if (this.#pause !== pause) return
      try {
        this.#parts.truncate()
      } catch {
        // A full disk or another process prevents it: a later commit tries again.
      }
      this.#end(pause)
    })
  }

  #end(pause: AbortController): void {
    if (this.#pause !== pause) return
    this.#pause = undefined
    pause.abort()
    for (const ticket of this.#waiting) ticket.admit()
    this.#waiting.clear()
  }
}
