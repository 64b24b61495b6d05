/** The maximum time that a program which computes between its writes keeps the other writes waiting. */
export const LONGEST_HOLD_MS = 1_000

/** Ends a hold of the writer that lasts too long while others wait for the writer. */
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

  /** Call it whenever a caller starts to wait. */
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
