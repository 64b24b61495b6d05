import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { type Peer, startPeer } from './peer.ts'
import { freePort } from './postgres-server.mjs'

const PACKAGE = fileURLToPath(new URL('../../peers/atproto/node_modules/@atproto/pds/package.json', import.meta.url))
const SCRIPT = fileURLToPath(new URL('../../peers/atproto/serve.mjs', import.meta.url))

/** Whether the reference server of the AT Protocol is installed for this Node.js: `peers/install atproto`. */
export const HAS_PDS = existsSync(PACKAGE) && itsDatabaseLoads()

function itsDatabaseLoads(): boolean {
  try {
    const Database = createRequire(PACKAGE)('better-sqlite3')
    new Database(':memory:').close()
    return true
  } catch {
    return false
  }
}

/** The reference server of the AT Protocol with its own identity directory. */
export interface Pds {
  url: string
  /** The URL of its identity directory (PLC). */
  plcUrl: string
  /** Creates an account. Its app password allows only posting. */
  account(handle: string): Promise<{ did: string; token: string; appPassword: string }>
  /** Calls a method: a procedure if there is a body, otherwise a query. */
  call(method: string, options?: { token?: string; query?: Record<string, string>; body?: unknown }): Promise<Answer>
  /** Redirects a public origin to a local URL. */
  finds(origin: string, url: string): void
  /** Returns the number of services that the account has authorized. */
  grants(did: string): Promise<unknown>
  close: Peer['close']
}

// biome-ignore lint/suspicious/noExplicitAny: answers of any method
type Answer = any

export const PASSWORD = 'a long password of the account'

interface PdsOptions {
  port: number
  /** The service from which its accounts read posts of the network. */
  appView?: { url: string; did: string }
}

export async function startPds(given?: PdsOptions): Promise<Pds> {
  const { port, ...more } = given ?? { port: await freePort() }
  const { said, tell, ask, close } = await startPeer(SCRIPT, { port, ...more })
  const [url = '', plcUrl = ''] = said.split(' ')
  const call: Pds['call'] = async (method, { token, query = {}, body } = {}) => {
    const search = new URLSearchParams(query).toString()
    const answer = await fetch(`${url}/xrpc/${method}${search === '' ? '' : `?${search}`}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(token && { Authorization: `Bearer ${token}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method}: ${answer.status} ${text}`)
    return text === '' ? null : JSON.parse(text)
  }
  return {
    url,
    plcUrl,
    call,
    close,
    grants: (did) => ask({ grantsOf: did }),
    finds: (origin, url) => tell({ origin, url }),
    async account(handle) {
      const body = { handle, email: `${handle}@example.com`, password: PASSWORD }
      const { did, accessJwt: token } = await call('com.atproto.server.createAccount', { body })
      const made = await call('com.atproto.server.createAppPassword', { token, body: { name: 'shopwright' } })
      return { did, token, appPassword: made.password }
    },
  }
}
