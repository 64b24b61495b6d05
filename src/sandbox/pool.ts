import { setTimeout } from 'node:timers/promises'
import type { Job } from './job.ts'
import type { Limits } from './limits.ts'
import { RoundRobin } from './round-robin.ts'
import type { Artefact } from './snapshot.ts'
import { WorkerThread } from './worker-thread.ts'

const RETRY_MS = 200

/** The workers and the programs that wait for them. A worker that cannot run another program is replaced at once. */
export class Pool {
  readonly #artefact: Artefact
  readonly #limits: Limits
  readonly #waiting: RoundRobin<Job>
  readonly #workers = new Set<WorkerThread>()
  /** The one that has been idle longest comes first: it is the most likely to have finished restoring. */
  readonly #idle: WorkerThread[] = []
  #closed = false

  constructor(artefact: Artefact, limits: Limits) {
    this.#artefact = artefact
    this.#limits = limits
    this.#waiting = new RoundRobin(limits.queueLength)
  }

  async addWorker(): Promise<void> {
    const worker = new WorkerThread(this.#artefact, this.#limits)
    this.#workers.add(worker)
    try {
      await worker.ready
    } catch (error) {
      this.#workers.delete(worker)
      throw error
    }
    this.#release(worker)
  }

  /** Runs the job when its turn comes; false when the queue is full. */
  add(job: Job): boolean {
    const worker = this.#idle.shift()
    if (!worker) return this.#waiting.add(job.program.queueKey, job)
    void this.#run(job, worker)
    return true
  }

  /** Takes a job out of the queue; false when it has already started. */
  remove(job: Job): boolean {
    return this.#waiting.remove(job.program.queueKey, job)
  }

  async close(): Promise<void> {
    this.#closed = true
    await Promise.all([...this.#workers].map((worker) => worker.stop()))
  }

  async #run(job: Job, worker: WorkerThread): Promise<void> {
    if (await job.run(worker)) this.#release(worker)
    else await this.#replace(worker)
  }

  #release(worker: WorkerThread): void {
    if (this.#closed) return
    worker.onDeath = () => void this.#replace(worker)
    const job = this.#waiting.take()
    if (job) void this.#run(job, worker)
    else this.#idle.push(worker)
  }

  async #replace(worker: WorkerThread): Promise<void> {
    this.#workers.delete(worker)
    const index = this.#idle.indexOf(worker)
    if (index >= 0) this.#idle.splice(index, 1)
    void worker.stop()
    await this.#addReplacement()
  }

  /** Tries again when a thread cannot start, for example for lack of memory: the pool must not shrink for good. */
  async #addReplacement(): Promise<void> {
    while (!this.#closed) {
      try {
        return await this.addWorker()
      } catch {
        await setTimeout(RETRY_MS, undefined, { ref: false })
      }
    }
  }
}
