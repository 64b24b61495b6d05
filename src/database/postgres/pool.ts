import { Pool, type PoolClient } from 'pg'
import { unreachable } from './errors.ts'
import { getTypeParser } from './types.ts'

/** Also of a wait for a connection that others use. */
const CONNECT_TIMEOUT_MS = 10_000
const KEEP_ALIVE_MS = 10_000

/** Makes the pool; no connection is opened yet. Losing a connection fails what runs on it, never the process. */
export function createPool(url: string, poolSize: number): Pool {
  const pool = new Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'shopwright',
    // Statements that do not need each other's results travel together.
    pipeline: true,
    // A server that vanished without a word is noticed.
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    types: { getTypeParser },
  })
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/**
 * Waits for a connection; rejects with StorageError when none can be had. An abort while waiting rejects with its reason, and the
 * connection goes back when it comes.
 */
export async function connect(pool: Pool, signal?: AbortSignal): Promise<PoolClient> {
  signal?.throwIfAborted()
  const connecting = pool.connect().catch((error: unknown) => {
    throw unreachable(error)
  })
  if (!signal) return connecting
  return new Promise((resolve, reject) => {
    let left = false
    const leave = () => {
      left = true
      reject(signal.reason)
    }
    signal.addEventListener('abort', leave, { once: true })
    // In one step with the decision, so that an abort can never give back a connection that is in use.
    const arrived = () => signal.removeEventListener('abort', leave)
    connecting.then(
      (client) => {
        arrived()
        if (left) client.release()
        else resolve(client)
      },
      (error) => {
        arrived()
        reject(error)
      },
    )
  })
}
