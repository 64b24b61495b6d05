import type { Job } from './job.ts'
import type { Limits } from './limits.ts'
import { RoundRobin } from './round-robin.ts'
import type { Artefact } from './snapshot.ts'
import { WorkerThread } from './worker-thread.ts'

/** Workers and the programs that wait for them. A worker whose program had to be killed is replaced at once. */
export class Pool {
  readonly #artefact: Artefact
  readonly #limits: Limits
  readonly #waiting: RoundRobin<Job>
  readonly #workers = new Set<WorkerThread>()
  /** The one that has rested longest first: it is the likeliest to have cleaned up. */
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
    await worker.ready
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

  async close(): Promise<Job[]> {
    this.#closed = true
    const left: Job[] = []
    for (let job = this.#waiting.take(); job; job = this.#waiting.take()) left.push(job)
    await Promise.all([...this.#workers].map((worker) => worker.stop()))
    return left
  }

  async #run(job: Job, worker: WorkerThread): Promise<void> {
    if (await job.run(worker)) this.#release(worker)
    else await this.#replace(worker)
  }

  #release(worker: WorkerThread): void {
    if (this.#closed) return
    const job = this.#waiting.take()
    if (job) void this.#run(job, worker)
    else this.#idle.push(worker)
  }

  async #replace(worker: WorkerThread): Promise<void> {
    this.#workers.delete(worker)
    void worker.stop()
    if (!this.#closed) await this.addWorker()
  }
}
