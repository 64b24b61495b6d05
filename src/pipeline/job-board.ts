import type { Left } from './foresee.ts'

/** How long an answer waits for the jobs whose result it shows. */
export const AWAIT_MS = 10_000

/** What was committed for those who work after it; absent: anything. */
export type Woken = Partial<Pick<Left, 'lanes' | 'deliveries'>>

/** Connects those who enqueue jobs with the worker that carries them out, inside one process. */
export class JobBoard {
  readonly #wakers = new Set<(left: Woken) => void>()
  readonly #waiting = new Map<string, Set<() => void>>()

  /** Something was enqueued and committed. */
  wake(left: Woken = {}): void {
    for (const waker of this.#wakers) waker(left)
  }

  onWake(waker: (left: Woken) => void): void {
    this.#wakers.add(waker)
  }

  /** A job has ended, well or not. */
  finished(jobId: string): void {
    for (const resolve of this.#waiting.get(jobId) ?? []) resolve()
  }

  /** Waits until this process has finished all of these jobs, at most `timeoutMs`. True when it has. */
  async wait(jobIds: string[], timeoutMs: number): Promise<boolean> {
    const late = Promise.withResolvers<boolean>()
    const timer = setTimeout(() => late.resolve(false), timeoutMs)
    try {
      const all = Promise.all(jobIds.map((id) => this.#waitFor(id))).then(() => true)
      return await Promise.race([all, late.promise])
    } finally {
      clearTimeout(timer)
      for (const id of jobIds) this.#waiting.delete(id)
    }
  }

  #waitFor(jobId: string): Promise<void> {
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(jobId) ?? new Set()
      this.#waiting.set(jobId, waiting.add(resolve))
    })
  }
}
