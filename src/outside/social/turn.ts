import { setTimeout as delay } from 'node:timers/promises'
import { PlatformBusyError } from './provider.ts'

/** Less than a job has. What is not done by then goes on in the next try, which counts as no failure. */
const TURN_MS = 150_000
const FIRST_LOOK_MS = 200
const LONGEST_LOOK_MS = 15_000
const NEXT_TURN_MS = 60_000
const SEND_ON_MS = 1_000

/** The platform has what it was sent, and is not done with it, or there is more to send. The same request is sent again then. */
class PlatformWorkingError extends PlatformBusyError {
  override name = 'PlatformWorkingError'
}

/** The time that one try has for sending parts and for looking whether the platform is done. */
export class Turn {
  readonly signal: AbortSignal
  readonly #endsAt: number

  constructor(signal: AbortSignal, turnMs = TURN_MS) {
    this.signal = signal
    this.#endsAt = performance.now() + turnMs
  }

  /** Throws a PlatformWorkingError when the time is over, before more is sent; what was sent must be known by then. */
  requireTime(): void {
    if (this.#isOver) throw new PlatformWorkingError('There is more of the post to send.', Date.now() + SEND_ON_MS)
  }

  /** Looks, later and later, until there is something. Rejects with a PlatformWorkingError when the time is over. */
  async until<Found>(look: () => Promise<Found | null>): Promise<Found> {
    for (let looks = 0; ; looks++) {
      const found = await look()
      if (found !== null) return found
      if (this.#isOver)
        throw new PlatformWorkingError('The platform is not done with the post.', Date.now() + NEXT_TURN_MS)
      await delay(Math.min(FIRST_LOOK_MS * 1.5 ** looks, LONGEST_LOOK_MS), undefined, { signal: this.signal })
    }
  }

  get #isOver(): boolean {
    return performance.now() > this.#endsAt
  }
}
