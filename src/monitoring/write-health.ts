import { ConflictError } from '../database/database.ts'

/** After so long without a write that succeeded, one is tried. */
const PROBE_MS = 10_000
/** Stored data can still be read, so a load balancer takes the process out only after this. */
const GRACE_MS = 30_000

interface Log {
  error(details: object, message: string): void
}

interface WriteHealthParts {
  probe(): Promise<unknown>
  log: Log
  /** Milliseconds of any clock that moves forward. */
  now?: (() => number) | undefined
}

/** Whether the database takes writes: those of requests and jobs show it, and where there are none, one of its own. */
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

  /** How long writes have failed: 0 while they succeed. */
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

  /** Tries a write where none was tried or succeeded within ten seconds. Never rejects. */
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
      // Another process writes for so long: the database takes writes.
      if (error instanceof ConflictError) return
      const isNew = this.#failure === undefined
      this.failed(error)
      if (isNew) this.#log.error({ err: error }, 'The database takes no writes')
    }
  }
}
