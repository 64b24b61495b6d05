import { setTimeout as delay } from 'node:timers/promises'
import { BoundedMap } from '../runtime/bounded-map.ts'
import type { SandboxLoad, SandboxWatch } from './api.ts'
import type { Job } from './job.ts'
import type { Limits } from './limits.ts'
import { RoundRobin } from './round-robin.ts'
import type { Artefact } from './snapshot.ts'
import { WorkerThread } from './worker-thread.ts'

const RETRY_MS = 200
/** A program that has waited this long, while no program of its account is running, gets an extra worker (`#further`). */
const PATIENCE_MS = 50
const KEPT_MS = 60_000
/** The number of accounts whose last program is remembered. */
const MOST_REMEMBERED = 10_000

/**
 * The workers and the queue of programs. One worker is started at once; others, of 15 MB each, are started when a program finds none idle,
 * and are kept. A worker that cannot run another program is replaced at once. While long programs occupy all workers, a few extra
 * workers (`#further`) run the programs of accounts that have no running program. The last of them is left to accounts whose last
 * program did not make its worker unusable.
 */
export class Pool {
  readonly #artefact: Artefact
  readonly #limits: Limits
  /** The maximum number of permanent workers; excludes the extra workers. */
  readonly #most: number
  /** Includes permanent workers that are starting; excludes the extra workers. */
  #count = 0
  #growing = false
  readonly #watch: SandboxWatch | undefined
  readonly #waiting: RoundRobin<Job>
  readonly #running = new Running()
  /** The accounts whose last program made its worker unusable. They leave the last extra worker to others. */
  readonly #costly = new BoundedMap<string, true>(MOST_REMEMBERED)
  /** The number of extra workers that run programs of these accounts. */
  #costlyFurther = 0
  readonly #workers = new Set<WorkerThread>()
  /** Most recently used first, because the data of that worker is most likely to be in the processor's cache. */
  readonly #idle: WorkerThread[] = []
  /** The extra workers. The value is the timer that stops an idle one; null for a busy one. */
  readonly #further = new Map<WorkerThread, NodeJS.Timeout | null>()
  #closed = false

  constructor(artefact: Artefact, limits: Limits, most: number, watch?: SandboxWatch) {
    this.#artefact = artefact
    this.#limits = limits
    this.#most = most
    this.#watch = watch
    this.#waiting = new RoundRobin({ total: limits.queueLength, perKey: limits.queuePerAccount })
  }

  async open(): Promise<void> {
    this.#count = 1
    await this.#addWorker()
  }

  /** Runs or queues a job. If a queue limit is exceeded, returns the job that was dropped: this one, or another account's. */
  add(job: Job): Job | undefined {
    const worker = this.#idle.pop() ?? this.#idleFurther(job)
    if (worker) {
      void this.#run(job, worker)
      return undefined
    }
    job.waitsSince = performance.now()
    if (this.#count < this.#most && !this.#growing) void this.#grow()
    this.#useFurtherWorkerSoon()
    return this.#waiting.add(job.account, job)
  }

  load(): SandboxLoad {
    return { waiting: this.#waiting.size, running: this.#running.size, interpreters: this.#workers.size }
  }

  /** Removes a job from the queue. Returns false if it has already started. */
  remove(job: Job): boolean {
    return this.#waiting.remove(job.account, job)
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const timer of this.#further.values()) clearTimeout(timer ?? undefined)
    await Promise.all([...this.#workers].map((worker) => worker.stop()))
  }

  async #run(job: Job, worker: WorkerThread): Promise<void> {
    this.#running.begin(job.account)
    this.#watch?.waited(job.waitsSince === 0 ? 0 : performance.now() - job.waitsSince)
    const costly = this.#further.has(worker) && this.#isCostly(job.account) ? 1 : 0
    this.#costlyFurther += costly
    const reusable = await job.run(worker)
    this.#running.end(job.account)
    this.#costlyFurther -= costly
    if (reusable) this.#costly.delete(job.account)
    else this.#costly.set(job.account, true)
    // Extra workers may now run a waiting program of this account.
    if (this.#waiting.size > 0) this.#useFurtherWorkerSoon()
    if (reusable) this.#release(worker)
    else await this.#replace(worker)
  }

  #release(worker: WorkerThread): void {
    if (this.#closed) return
    worker.onDeath = () => void this.#replace(worker)
    const further = this.#further.has(worker)
    const job = further ? this.#waiting.take(this.#mayUseFurther) : this.#waiting.take()
    if (job) void this.#run(job, worker)
    else if (further) this.#keepFurther(worker)
    else this.#idle.push(worker)
  }

  /** Returns an idle extra worker for a job, if its account may use one. */
  #idleFurther(job: Job): WorkerThread | undefined {
    if (!this.#mayUseFurther(job.account)) return undefined
    const found = this.#further.entries().find(([, timer]) => timer !== null)
    if (!found) return undefined
    clearTimeout(found[1]!)
    this.#further.set(found[0], null)
    return found[0]
  }

  #keepFurther(worker: WorkerThread): void {
    this.#further.set(worker, setTimeout(() => this.#remove(worker), KEPT_MS).unref())
  }

  readonly #mayUseFurther = (account: string): boolean => {
    if (this.#running.has(account)) return false
    return !this.#isCostly(account) || this.#costlyFurther < this.#limits.furtherWorkers - 1
  }

  #isCostly(account: string): boolean {
    return this.#costly.get(account) !== undefined
  }

  #useFurtherWorkerSoon(): void {
    setTimeout(() => void this.#useFurtherWorker(), PATIENCE_MS).unref()
  }

  /** Runs the next waiting program whose account may use an extra worker, if the program has waited long enough. */
  async #useFurtherWorker(): Promise<void> {
    const job = this.#waiting.next(this.#mayUseFurther)
    if (this.#closed || !job || performance.now() - job.waitsSince < PATIENCE_MS - 1) return
    const idle = this.#idleFurther(job)
    if (idle) {
      this.#waiting.remove(job.account, job)
      void this.#run(job, idle)
    } else if (!this.#growing && this.#further.size < this.#limits.furtherWorkers) await this.#addFurther()
  }

  /** Adds a permanent worker. Programs that are still waiting afterwards may get an extra worker. */
  async #grow(): Promise<void> {
    this.#growing = true
    this.#count++
    await this.#addReplacement()
    this.#growing = false
    if (this.#waiting.size > 0) this.#useFurtherWorkerSoon()
  }

  async #addWorker(): Promise<void> {
    this.#release(await this.#started(new WorkerThread(this.#artefact, this.#limits)))
  }

  async #addFurther(): Promise<void> {
    const worker = new WorkerThread(this.#artefact, this.#limits)
    this.#further.set(worker, null)
    await this.#started(worker).then(
      () => this.#release(worker),
      () => {},
    )
  }

  async #started(worker: WorkerThread): Promise<WorkerThread> {
    const began = performance.now()
    this.#workers.add(worker)
    try {
      await worker.ready
      this.#watch?.started(performance.now() - began)
      return worker
    } catch (error) {
      this.#remove(worker)
      throw error
    }
  }

  #remove(worker: WorkerThread): void {
    this.#workers.delete(worker)
    this.#further.delete(worker)
    const index = this.#idle.indexOf(worker)
    if (index >= 0) this.#idle.splice(index, 1)
    void worker.stop()
  }

  async #replace(worker: WorkerThread): Promise<void> {
    const further = this.#further.has(worker)
    this.#remove(worker)
    if (!further) await this.#addReplacement()
  }

  /** Retries until a worker thread starts, because a lack of memory may be temporary and the pool must not shrink permanently. */
  async #addReplacement(): Promise<void> {
    while (!this.#closed) {
      try {
        return await this.#addWorker()
      } catch {
        await delay(RETRY_MS, undefined, { ref: false })
      }
    }
  }
}

/** The number of running programs of each account. */
class Running {
  readonly #counts = new Map<string, number>()

  begin(account: string): void {
    this.#counts.set(account, (this.#counts.get(account) ?? 0) + 1)
  }

  end(account: string): void {
    const left = (this.#counts.get(account) ?? 0) - 1
    if (left > 0) this.#counts.set(account, left)
    else this.#counts.delete(account)
  }

  get size(): number {
    let size = 0
    for (const count of this.#counts.values()) size += count
    return size
  }

  has(account: string): boolean {
    return this.#counts.has(account)
  }
}
