import { ConflictError } from '../database/database.ts'

/** A probe writes after this time without a successful write. */
const PROBE_MS = 10_000
/** A load balancer takes the process out only after this time, since reads still work. */
const GRACE_MS = 30_000

interface Log {
  error(details: object, message: string): void
}

interface WriteHealthParts {
  probe(): Promise<unknown>
  log: Log
  /** The milliseconds of any monotonic clock. */
  now?: (() => number) | undefined
}

/** Tracks whether the database accepts writes, from the writes of requests and jobs, or with a probe when there are none. */
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

  /** Why writes fail; undefined while they succeed. */
  get failure(): { error: unknown; isLasting: boolean } | undefined {
    return this.#failure && { error: this.#failure.error, isLasting: this.failingMs >= GRACE_MS }
  }

  /** How long writes have been failing; 0 while they succeed. */
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

  /** Probes with a write if there was no attempt or success within ten seconds. Never rejects. */
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
      // A conflict only means that another process holds the writer lock: the database accepts writes.
      if (error instanceof ConflictError) return
      const isNew = this.#failure === undefined
      this.failed(error)
      if (isNew) this.#log.error({ err: error }, 'The database takes no writes')
    }
  }
}
