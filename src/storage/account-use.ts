import type { Measured } from './stored.ts'

/** Share of one's time that measuring an account may take. */
const MEASURING_SHARE = 1 / 10
/** An account is measured again when it has written this share of the room that it had. */
const ROOM_SHARE = 1 / 10

/** What one account takes, as far as this process knows. */
export class AccountUse {
  /** As it was last measured; null until then. */
  #measured: Measured | null = null
  /** Bytes that this process has written since then. */
  #written = 0
  /** From `performance.now()` on it may be measured again. */
  #notBefore = Number.NEGATIVE_INFINITY

  get bytes(): number {
    return (this.#measured?.bytes ?? 0) + this.#written
  }

  get written(): number {
    return this.#written
  }

  get measuredAt(): string | null {
    return this.#measured?.at ?? null
  }

  get mayBeMeasured(): boolean {
    return performance.now() >= this.#notBefore
  }

  add(bytes: number): void {
    this.#written += bytes
  }

  /** Whether so much was written since the last measurement that the next should not wait for its hour. */
  hasGrown(limitBytes: number): boolean {
    const room = limitBytes - (this.#measured?.bytes ?? 0)
    return this.#written > Math.max(0, room) * ROOM_SHARE
  }

  /** Takes over a measurement; `counted` bytes of those written were in it. */
  settle(measured: Measured, counted: number, tookMs = 0): void {
    this.#measured = measured
    this.#written = Math.max(0, this.#written - counted)
    this.#notBefore = performance.now() + tookMs / MEASURING_SHARE
  }
}
