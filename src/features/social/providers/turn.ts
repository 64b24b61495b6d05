import { setTimeout as delay } from 'node:timers/promises'
import { PlatformBusyError } from './provider.ts'

/** The time limit of one attempt, shorter than that of its job. Unfinished work continues in the next attempt, without a failure. */
const TURN_MS = 150_000
const FIRST_LOOK_MS = 200
const LONGEST_LOOK_MS = 15_000
const NEXT_TURN_MS = 60_000
const SEND_ON_MS = 1_000

/** The platform is still processing, or there is more to send. The same request is repeated later. */
class PlatformWorkingError extends PlatformBusyError {
  override name = 'PlatformWorkingError'
}

/** The time limit of one attempt for sending parts and polling. */
export class Turn {
  readonly signal: AbortSignal
  readonly #endsAt: number

  constructor(signal: AbortSignal, turnMs = TURN_MS) {
    this.signal = signal
    this.#endsAt = performance.now() + turnMs
  }

  /** Throws a PlatformWorkingError if the time is over. Call it before sending more, once the parts already sent are recorded. */
  requireTime(): void {
    if (this.#isOver) throw new PlatformWorkingError('There is more of the post to send.', Date.now() + SEND_ON_MS)
  }

  /** Polls with growing delays until there is a result. Rejects with a PlatformWorkingError when the time is over. */
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
