import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Limits } from './limits.ts'
import {
  type ChannelBuffers,
  KIND_BYTES,
  type RunMessage,
  WORD,
  WORDS,
  type WorkerInput,
  type WorkerMessage,
} from './messages.ts'
import type { Artefact } from './snapshot.ts'

const ANSWER_BYTES_AT_FIRST = 64 * 1024
const STACK_MB = 16

/** The main thread's side of a worker. The thread has no environment variables, tokens or handles other than its port. */
export class WorkerThread {
  readonly ready: Promise<void>
  readonly #worker: Worker
  readonly #channel: ChannelBuffers
  readonly #words: Int32Array
  readonly #limits: Limits
  /** Called with each message of the running program; null while the worker is idle. */
  onMessage: ((message: WorkerMessage) => void) | null = null
  onDeath: (() => void) | null = null

  constructor(artefact: Artefact, limits: Limits) {
    this.#limits = limits
    this.#channel = {
      words: new SharedArrayBuffer(WORDS * Int32Array.BYTES_PER_ELEMENT),
      program: new SharedArrayBuffer(limits.programBytes + KIND_BYTES),
      answer: new SharedArrayBuffer(ANSWER_BYTES_AT_FIRST, { maxByteLength: limits.answerBytes }),
      output: new SharedArrayBuffer(limits.outputBytes),
    }
    this.#words = new Int32Array(this.#channel.words)
    this.#worker = new Worker(new URL('./worker.mjs', import.meta.url), {
      workerData: { ...artefact, channel: this.#channel, limits, compileCache: compileCache() } satisfies WorkerInput,
      env: {},
      execArgv: [],
      resourceLimits: { stackSizeMb: STACK_MB, maxYoungGenerationSizeMb: 2 },
    })
    this.ready = this.#untilReady()
    this.ready.catch(() => {})
  }

  /** Starts a program on the worker, which must be idle. */
  start({ kind, code, whole }: RunMessage): void {
    Atomics.store(this.#words, WORD.whole, whole ? 1 : 0)
    Atomics.store(this.#words, WORD.outputBytes, 0)
    Atomics.store(this.#words, WORD.outputCut, 0)
    const length = Buffer.from(this.#channel.program).write(`${kind}\n${code}`)
    Atomics.store(this.#words, WORD.programBytes, length)
    Atomics.notify(this.#words, WORD.programBytes)
  }

  /** Sends the reply that the worker waits for. Returns false if the reply exceeds its limit. */
  answer(text: string): boolean {
    const bytes = Buffer.from(text)
    const { answer } = this.#channel
    if (bytes.length > this.#limits.answerBytes) return false
    if (bytes.length > answer.byteLength) answer.grow(Math.min(bytes.length * 2, this.#limits.answerBytes))
    new Uint8Array(answer).set(bytes)
    Atomics.store(this.#words, WORD.answerBytes, bytes.length)
    Atomics.store(this.#words, WORD.answered, 1)
    Atomics.notify(this.#words, WORD.answered)
    return true
  }

  output(): { text: string; cut: boolean } {
    const length = Atomics.load(this.#words, WORD.outputBytes)
    const text = Buffer.from(this.#channel.output, 0, length).toString('utf8')
    return { text, cut: Atomics.load(this.#words, WORD.outputCut) === 1 }
  }

  async stop(): Promise<void> {
    this.onMessage = null
    this.onDeath = null
    await this.#worker.terminate()
  }

  async #untilReady(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#worker.on('message', (message: WorkerMessage) => {
        if (message.type === 'ready') resolve()
        else this.onMessage?.(message)
      })
      this.#worker.on('error', reject)
      this.#worker.on('exit', () => {
        reject(new Error('A sandbox worker ended before it was ready'))
        this.onDeath?.()
      })
    })
    this.#worker.unref()
  }
}

/** Returns the directory of this process's compile cache in the form that `enableCompileCache` takes; null if there is none. */
function compileCache(): string | null {
  const directory = getCompileCacheDir()
  return directory ? dirname(directory) : null
}
