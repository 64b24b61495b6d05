import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { loadArtefact } from '../../../src/sandbox/artefact.ts'
import { limits } from '../../../src/sandbox/limits.ts'
import type { Artefact } from '../../../src/sandbox/snapshot.ts'
import { SANDBOX_CACHE_DIR } from '../../support/cache.ts'
import { resources, tools } from '../room.ts'
import type { Inspection, InspectMessage } from './messages.ts'

/** An interpreter in a thread of its own whose memory can be looked into after each program. */
export class InspectedInterpreter {
  readonly #artefact: Artefact
  #worker: Worker

  static async open(strip = true): Promise<InspectedInterpreter> {
    const input = { tools, resources, maximumPages: limits.memoryPages, strip }
    const artefact = await loadArtefact(input, SANDBOX_CACHE_DIR)
    const interpreter = new InspectedInterpreter(artefact)
    await interpreter.#next()
    return interpreter
  }

  private constructor(artefact: Artefact) {
    this.#artefact = artefact
    this.#worker = this.#start()
  }

  /** Runs a program, restores, and inspects. Null when the program did not end in time; its thread is then replaced. */
  async inspect(
    code: string,
    rest: Partial<InspectMessage> & { patienceMs?: number } = {},
  ): Promise<Inspection | null> {
    const { patienceMs = 30_000, ...message } = rest
    this.#worker.postMessage({ kind: 'execute', traces: [], ...message, code } satisfies InspectMessage)
    const timeout = Promise.withResolvers<null>()
    const timer = setTimeout(timeout.resolve, patienceMs, null)
    const inspection = await Promise.race([this.#next() as Promise<Inspection>, timeout.promise])
    clearTimeout(timer)
    if (inspection === null) await this.#replace()
    return inspection
  }

  async close(): Promise<void> {
    await this.#worker.terminate()
  }

  #start(): Worker {
    const url = new URL('./worker.ts', import.meta.url)
    return new Worker(url, { workerData: this.#artefact, env: {}, resourceLimits: { stackSizeMb: 16 } })
  }

  async #replace(): Promise<void> {
    await this.#worker.terminate()
    this.#worker = this.#start()
    await this.#next()
  }

  async #next(): Promise<unknown> {
    return (await once(this.#worker, 'message'))[0]
  }
}
