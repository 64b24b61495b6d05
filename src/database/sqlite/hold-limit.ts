/** How long a program that computes between its writes may delay the writes of others. */
export const LONGEST_HOLD_MS = 1_000

/** Ends a program's hold of the writer lock if it takes too long while others wait. */
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

  /** Call this method whenever a caller starts to wait for the writer lock. */
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
