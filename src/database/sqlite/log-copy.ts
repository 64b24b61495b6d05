import { Worker } from 'node:worker_threads'

/**
 * Copies what is in the log of commits into the database, as far as no snapshot prevents it, in a thread of its own: with a
 * long log that takes hundreds of milliseconds, during which this thread goes on reading and writing.
 */
export function copyLog(path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(PROGRAM, { eval: true, workerData: path })
    worker.once('error', reject)
    worker.once('exit', () => resolve())
  })
}

const PROGRAM = `
const { DatabaseSync } = require('node:sqlite')
const { workerData } = require('node:worker_threads')
const database = new DatabaseSync(workerData)
database.exec('pragma wal_checkpoint(passive)')
database.close()
`
