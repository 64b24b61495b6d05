import { setTimeout as sleep } from 'node:timers/promises'
import { Client, type ClientConfig, Pool, type PoolClient } from 'pg'
import { unreachable } from './errors.ts'
import { Hosts } from './hosts.ts'
import { prepareSession } from './session-settings.ts'
import { getTypeParser } from './types.ts'

/** Also of a wait for a connection that others use. */
const CONNECT_TIMEOUT_MS = 10_000
/** Where there are several servers, one that says nothing must leave time for the others. */
const CONNECT_ONE_TIMEOUT_MS = 3_000
const NEXT_HOST_PAUSE_MS = 200
/** The connection of a statement that takes longer is closed: the network may swallow what is sent. */
const STATEMENT_TIMEOUT_MS = 20_000
const KEEP_ALIVE_MS = 10_000

const hostsOf = new WeakMap<Pool, Hosts>()

/** Makes the pool; no connection is opened yet. Losing a connection fails what runs on it, never the process. */
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
    // Statements that do not need each other's results travel together.
    pipeline: true,
    // A server that vanished without a word is noticed.
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
 * Waits for a connection; rejects with StorageError when none can be had. An abort while waiting rejects with its reason, and the
 * connection goes back when it comes.
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

/** Goes round the servers of a URL that names several, which may take a while to agree on the next one that takes writes. */
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
