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

/** The reference server of the AT Protocol, with a directory of its own. */
export interface Pds {
  url: string
  /** Its directory of identities. */
  plcUrl: string
  /** Makes an account; the app password is one that can post and no more. */
  account(handle: string): Promise<{ did: string; token: string; appPassword: string }>
  /** Calls a method: a query without a body, else a procedure. */
  call(method: string, options?: { token?: string; query?: Record<string, string>; body?: unknown }): Promise<Answer>
  /** Where a service is on this machine that has another address for everybody else. */
  finds(origin: string, url: string): void
  /** How many services an account has let in on the server's page. */
  grants(did: string): Promise<unknown>
  close: Peer['close']
}

// biome-ignore lint/suspicious/noExplicitAny: answers of any method
type Answer = any

export const PASSWORD = 'a long password of the account'

interface PdsOptions {
  port: number
  /** Where its accounts read what the network says. */
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
