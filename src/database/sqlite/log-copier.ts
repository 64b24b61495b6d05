import { Worker } from 'node:worker_threads'

/** After this idle time, the thread ends to free its memory. */
const IDLE_MS = 5_000

/**
 * Copies the write-ahead log into the database, as far as open snapshots allow. It uses a separate thread, so that the main thread can
 * read and write while the disk is busy.
 */
export class LogCopier {
  readonly #path: string
  #worker: Worker | undefined
  #idle: NodeJS.Timeout | undefined

  constructor(path: string) {
    this.#path = path
  }

  /** Rejects if the copying or its thread fails. Do not call it again before the last call has ended. */
  copy(): Promise<void> {
    clearTimeout(this.#idle)
    this.#worker ??= this.#start()
    const worker = this.#worker
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    worker.once('message', (failure: string | null) => (failure === null ? resolve() : reject(new Error(failure))))
    worker.once('exit', () => reject(new Error('The thread that copies the log ended.')))
    worker.ref()
    worker.postMessage('copy')
    return promise.finally(() => {
      worker.unref()
      worker.removeAllListeners('message').removeAllListeners('exit')
      worker.once('exit', () => this.#forget(worker))
      this.#idle = setTimeout(() => this.close(), IDLE_MS).unref()
    })
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle)
    const worker = this.#worker
    this.#worker = undefined
    if (!worker) return
    const ended = new Promise<void>((resolve) => void worker.once('exit', () => resolve()))
    worker.ref()
    worker.postMessage('end')
    await ended
  }

  #start(): Worker {
    const worker = new Worker(PROGRAM, {
      eval: true,
      workerData: this.#path,
      resourceLimits: { maxOldGenerationSizeMb: 16 },
    })
    worker.on('error', () => this.#forget(worker))
    worker.unref()
    return worker
  }

  #forget(worker: Worker): void {
    if (this.#worker === worker) this.#worker = undefined
  }
}

const PROGRAM = `
const { DatabaseSync } = require('node:sqlite')
const { parentPort, workerData } = require('node:worker_threads')
const database = new DatabaseSync(workerData)
parentPort.on('message', (order) => {
  if (order === 'end') {
    database.close()
    return parentPort.close()
  }
  try {
    database.exec('pragma wal_checkpoint(passive)')
    parentPort.postMessage(null)
  } catch (error) {
    parentPort.postMessage(error.message)
  }
})
`
