import { ConflictError } from '../database/database.ts'

/** The time without a successful write after which a probe writes. */
const PROBE_MS = 10_000
/** After writes have failed for this time, a load balancer removes the process. The time is long because reads still work. */
const GRACE_MS = 30_000

interface Log {
  error(details: object, message: string): void
}

interface WriteHealthParts {
  probe(): Promise<unknown>
  log: Log
  now?: (() => number) | undefined
}

/** Tracks whether the database accepts writes, from the writes of requests and jobs, or from a probe if there are none. */
export class WriteHealth {
  readonly #probe: () => Promise<unknown>
  readonly #log: Log
  readonly #now: () => number
  #triedAt: number
  #failure: { since: number; error: unknown } | undefined
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> | undefined
  #stopped = false

  constructor({ probe, log, now = () => performance.now() }: WriteHealthParts) {
    this.#probe = probe
    this.#log = log
    this.#now = now
    this.#triedAt = now()
  }

  /** The error with which writes fail; undefined while they succeed. */
  get failure(): { error: unknown; isLasting: boolean } | undefined {
    return this.#failure && { error: this.#failure.error, isLasting: this.failingMs >= GRACE_MS }
  }

  get failingMs(): number {
    return this.#failure ? this.#now() - this.#failure.since : 0
  }

  readonly succeeded = (): void => {
    this.#triedAt = this.#now()
    this.#failure = undefined
  }

  readonly failed = (error: unknown): void => {
    this.#failure = { since: this.#failure?.since ?? this.#now(), error }
  }

  start(): void {
    const restMs = Math.max(0, PROBE_MS - (this.#now() - this.#triedAt))
    this.#timer = setTimeout(() => void this.look().then(() => this.#stopped || this.start()), restMs).unref()
  }

  /** Writes a probe, unless a write succeeded or a probe was sent in the last ten seconds. Never rejects. */
  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined
    })
    return this.#looking
  }

  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#timer)
    await this.#looking
  }

  async #look(): Promise<void> {
    if (this.#now() - this.#triedAt < PROBE_MS) return
    this.#triedAt = this.#now()
    try {
      await this.#probe()
      this.succeeded()
    } catch (error) {
      // A conflict means that another process holds the writer lock, so the database does accept writes.
      if (error instanceof ConflictError) return
      const isNew = this.#failure === undefined
      this.failed(error)
      if (isNew) this.#log.error({ err: error }, 'The database takes no writes')
    }
  }
}
