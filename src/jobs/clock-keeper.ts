import { ClockBusyError, ClockError, dropRequest } from '../clock/advance.ts'
import { makeDueByClocks } from './by-clock.ts'
import type { Advanced, AdvanceParts } from './clock-advance.ts'
import { advanceClock } from './clock-advance.ts'

/** Lets what is due by the clocks of test accounts happen, and moves those clocks when asked to. */
export class ClockKeeper {
  readonly #parts: AdvanceParts
  readonly #moving = new Set<Promise<unknown>>()

  constructor(parts: AdvanceParts) {
    this.#parts = parts
  }

  /** Moves the clock of a test account; see `advanceClock`. */
  advance(accountId: string, to: string): Promise<Advanced> {
    const advanced = advanceClock(this.#parts, accountId, to)
    this.#moving.add(advanced)
    const ended = () => this.#moving.delete(advanced)
    advanced.then(ended, ended)
    return advanced
  }

  /** Makes due what the clocks have passed, and begins the advances that commands have asked for. True when more is due. */
  async poll(realNow: string): Promise<boolean> {
    const { more, requested } = await makeDueByClocks(this.#parts.database, realNow)
    for (const { accountId, to } of requested) this.#advanceAsAsked(accountId, to)
    return more
  }

  /** Waits for the advances under way, which end at the moment they have reached once their carrier is asked to stop. */
  async stop(): Promise<void> {
    await Promise.allSettled([...this.#moving])
  }

  #advanceAsAsked(accountId: string, to: string): void {
    this.advance(accountId, to).catch(async (error: unknown) => {
      // Another replica has begun it, or an advance that was lost still counts as under way: the next round looks again.
      if (error instanceof ClockBusyError) return
      if (error instanceof ClockError) await dropRequest(this.#parts.database, accountId)
      else this.#parts.log.error({ err: error, accountId, to }, 'A clock could not be moved')
    })
  }
}
