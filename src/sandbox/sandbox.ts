import { availableParallelism } from 'node:os'
import { memoryInWords } from '../format/sizes.ts'
import type { Describe, Json, OpenSandbox, Outcome, Program, SandboxLoad, SandboxWatch, Tool } from './api.ts'
import { loadArtefact } from './artefact.ts'
import { Job } from './job.ts'
import { type Limits, limits as standardLimits } from './limits.ts'
import { failure } from './outcome.ts'
import { Pool } from './pool.ts'

export interface SandboxOptions {
  tools: Tool[]
  /** The value of the Ruby method `resources`: the shop's resources by name. */
  resources: { [name: string]: Json }
  describe?: Describe
  /** The maximum number of permanent workers: 2 by default, and no more than the number of cores. */
  workers?: number
  /** The directory in which the built interpreter is cached; null to build it at every start. */
  cacheDirectory: string | null
  deadlineMs?: number
  /** The maximum number of waiting programs, for each account and for all accounts together. */
  queueLimit?: number
  watch?: SandboxWatch | undefined
  /** Whether the first worker is started at once. If false, it is started when a program needs it. */
  startsAtOnce?: boolean
  /** Replaces the usual limits in tests. */
  limits?: Partial<Limits>
  /** Whether strip.rb removes Ruby's classes for files and processes; false only in tests of the import table. */
  strip?: boolean
  /** The file of another Ruby module, in tests of a newer version. */
  ruby?: string
}

/**
 * Opens the sandbox. Resolves when the first worker is ready, unless `startsAtOnce` is false. Other workers are started when
 * programs need them.
 */
export async function createSandbox(options: SandboxOptions): Promise<OpenSandbox> {
  const limits = { ...standardLimits, ...options.limits }
  if (options.deadlineMs !== undefined) limits.deadlineMs = options.deadlineMs
  if (options.queueLimit !== undefined) limits.queueLength = limits.queuePerAccount = options.queueLimit
  const { tools, resources, cacheDirectory, strip = true, ruby } = options
  const input = { tools, resources, maximumPages: limits.memoryPages, strip, ruby }
  const artefact = await loadArtefact(input, cacheDirectory)
  const most = Math.max(1, Math.min(options.workers ?? 2, availableParallelism()))
  const pool = new Pool(artefact, limits, most, options.watch)
  if (options.startsAtOnce ?? true) await pool.open()
  return new PooledSandbox(pool, limits, options.describe)
}

class PooledSandbox implements OpenSandbox {
  readonly #pool: Pool
  readonly #limits: Limits
  readonly #describe: Describe | undefined
  /** Functions that each cancel one waiting or running program. */
  readonly #cancels = new Set<() => void>()
  #closed = false

  constructor(pool: Pool, limits: Limits, describe: Describe | undefined) {
    this.#pool = pool
    this.#limits = limits
    this.#describe = describe
  }

  run(program: Program): Promise<Outcome> {
    const invalid = invalidProgram(program.code, this.#limits)
    if (invalid) return Promise.resolve(notRun(failure('invalid_program', invalid)))
    return new Promise((resolve) => this.#enqueue(program, resolve))
  }

  load(): SandboxLoad {
    return this.#pool.load()
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const cancel of this.#cancels) cancel()
    await this.#pool.close()
  }

  #enqueue(program: Program, settle: (outcome: Outcome) => void): void {
    const finish = (outcome: Outcome) => {
      this.#cancels.delete(cancel)
      program.signal?.removeEventListener('abort', cancel)
      settle(outcome)
    }
    const job = new Job(program, { limits: this.#limits, describe: this.#describe }, finish)
    const cancel = () => (this.#pool.remove(job) ? finish(canceled()) : job.cancel())
    this.#cancels.add(cancel)
    program.signal?.addEventListener('abort', cancel)
    if (this.#closed || program.signal?.aborted) finish(canceled())
    else this.#pool.add(job)?.refuse(notRun(failure('busy', BUSY)))
  }
}

/** Returns the reason why a text cannot be a program, as a sentence; null if it can. */
function invalidProgram(code: unknown, limits: Limits): string | null {
  if (typeof code !== 'string') return 'The program must be a string of Ruby code.'
  if (code.trim() === '') return 'The program is empty.'
  if (Buffer.byteLength(code) > limits.programBytes) {
    return `The program is longer than ${memoryInWords(limits.programBytes)}.`
  }
  if (!code.isWellFormed()) return 'The program is not valid Unicode: it holds half of a surrogate pair.'
  if (code.includes('\0')) return 'The program contains a NUL character.'
  return null
}

const BUSY = 'Too many programs of this account are waiting; try again in a moment.'

function canceled(): Outcome {
  return notRun(failure('canceled', 'The program was canceled.'))
}

function notRun(ending: ReturnType<typeof failure>): Outcome {
  return { ...ending, output: '', durationMs: 0 }
}
