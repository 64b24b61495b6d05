/** A program that writes first and computes afterwards keeps every other write waiting. They wait at most this long for it. */
export const LONGEST_HOLD_MS = 1_000

/** Ends a hold of the writer that has lasted too long, once somebody waits for the writer. */
export class HoldLimit {
  readonly #isAwaited: () => boolean
  readonly #end: () => void
  readonly #until: number
  #timer: NodeJS.Timeout | undefined

  constructor(isAwaited: () => boolean, end: () => void, longestMs: number) {
    this.#isAwaited = isAwaited
    this.#end = end
    this.#until = performance.now() + longestMs
    this.noticeWaiting()
  }

  /** To be called whenever somebody starts to wait. */
  noticeWaiting(): void {
    if (this.#timer || !this.#isAwaited()) return
    this.#timer = setTimeout(() => this.#check(), Math.max(0, this.#until - performance.now()))
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  #check(): void {
    this.#timer = undefined
    if (this.#isAwaited()) this.#end()
  }
}
