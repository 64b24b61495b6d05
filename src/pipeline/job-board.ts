import type { PostCommitWork } from './side-effects.ts'

/** The maximum time for which a response waits for the jobs whose results it shows. */
export const AWAIT_MS = 10_000

/** The kinds of work that a commit may have queued; an absent kind is unknown. */
export type WakeHint = Partial<Pick<PostCommitWork, 'lanes' | 'deliveries'>>

/** Connects the code that enqueues jobs with the job worker of the same process. */
export class JobBoard {
  readonly #wakers = new Set<(left: WakeHint) => void>()
  readonly #waiting = new Map<string, Set<() => void>>()

  wake(left: WakeHint = {}): void {
    for (const waker of this.#wakers) waker(left)
  }

  onWake(waker: (left: WakeHint) => void): void {
    this.#wakers.add(waker)
  }

  finished(jobId: string): void {
    for (const resolve of this.#waiting.get(jobId) ?? []) resolve()
  }

  /** Waits up to `timeoutMs` for this process to finish all of these jobs, and returns whether it has. */
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
