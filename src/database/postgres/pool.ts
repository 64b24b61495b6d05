import { setTimeout as sleep } from 'node:timers/promises'
import { Client, type ClientConfig, Pool, type PoolClient } from 'pg'
import { unreachable } from './errors.ts'
import { Hosts } from './hosts.ts'
import { prepareSession } from './session-settings.ts'
import { getTypeParser } from './types.ts'

/** The time limit for getting a connection, including the wait until one in the pool is free. */
const CONNECT_TIMEOUT_MS = 10_000
/** The time limit for connecting to one of several servers. It is short, so that time is left to try the others. */
const CONNECT_ONE_TIMEOUT_MS = 3_000
const NEXT_HOST_PAUSE_MS = 200
/** The time limit for a statement. Its connection is then closed, because the network may lose data without an error. */
const STATEMENT_TIMEOUT_MS = 20_000
const KEEP_ALIVE_MS = 10_000

const hostsOf = new WeakMap<Pool, Hosts>()

/** Creates a pool without opening a connection. A lost connection fails the statements on it, but never the process. */
export function createPool(url: string, poolSize: number): Pool {
  const hosts = new Hosts(url)
  class CurrentClient extends Client {
    constructor(config?: ClientConfig) {
      super({ ...config, connectionString: hosts.current })
    }
  }
  const pool = new Pool({
    Client: CurrentClient,
    max: poolSize,
    connectionTimeoutMillis: hosts.count > 1 ? CONNECT_ONE_TIMEOUT_MS : CONNECT_TIMEOUT_MS,
    query_timeout: STATEMENT_TIMEOUT_MS,
    application_name: 'shopwright',
    pipeline: true,
    // Detects a server that has disappeared without closing its connections.
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    onConnect: prepareSession,
    types: { getTypeParser },
  })
  hostsOf.set(pool, hosts)
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/**
 * Returns a connection of the pool. Rejects with StorageError if there is none in time, and with the signal's reason after an
 * abort. A connection that arrives after the abort goes back to the pool.
 */
export async function connect(pool: Pool, signal?: AbortSignal): Promise<PoolClient> {
  signal?.throwIfAborted()
  const connecting = connectAnywhere(pool, signal).catch((error: unknown) => {
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
    // Removes the listener in the same step as the decision below, so that an abort can never release a connection in use.
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

/** Tries all servers of the URL repeatedly, because it may take a while after a failover until one accepts writes. */
async function connectAnywhere(pool: Pool, signal?: AbortSignal): Promise<PoolClient> {
  const hosts = hostsOf.get(pool)
  const until = performance.now() + CONNECT_TIMEOUT_MS
  for (let tried = 1; ; tried++) {
    const url = hosts?.current
    try {
      return await pool.connect()
    } catch (error) {
      if (!hosts || url === undefined || hosts.count === 1 || performance.now() > until || signal?.aborted) throw error
      hosts.leave(url)
      if (tried % hosts.count === 0) await sleep(NEXT_HOST_PAUSE_MS)
    }
  }
}
