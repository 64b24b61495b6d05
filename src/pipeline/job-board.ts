import type { PostCommitWork } from './side-effects.ts'

/** How long a response waits for the jobs whose result it shows. */
export const AWAIT_MS = 10_000

/** The kinds of work that a commit has queued; absent kinds may or may not be queued. */
export type WakeHint = Partial<Pick<PostCommitWork, 'lanes' | 'deliveries'>>

/** Connects the code that enqueues jobs with the worker of the same process. */
export class JobBoard {
  readonly #wakers = new Set<(left: WakeHint) => void>()
  readonly #waiting = new Map<string, Set<() => void>>()

  /** Wakes the workers after jobs were enqueued and committed. */
  wake(left: WakeHint = {}): void {
    for (const waker of this.#wakers) waker(left)
  }

  onWake(waker: (left: WakeHint) => void): void {
    this.#wakers.add(waker)
  }

  /** Reports that a job has ended, successfully or not. */
  finished(jobId: string): void {
    for (const resolve of this.#waiting.get(jobId) ?? []) resolve()
  }

  /** Waits up to `timeoutMs` until this process has finished all of these jobs. Returns true if it has. */
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
