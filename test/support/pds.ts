import { type ChildProcess, fork } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'

const PEER = fileURLToPath(new URL('../../peers/atproto/node_modules/@atproto/pds/package.json', import.meta.url))
const PROCESS = fileURLToPath(new URL('../../peers/atproto/serve.mjs', import.meta.url))

/** Whether the reference server of the AT Protocol is installed for this Node.js: `peers/install atproto`. */
export const HAS_PDS = existsSync(PEER) && itsDatabaseLoads()

function itsDatabaseLoads(): boolean {
  try {
    const Database = createRequire(PEER)('better-sqlite3')
    new Database(':memory:').close()
    return true
  } catch {
    return false
  }
}

/** The reference server of the AT Protocol, with a directory of its own. */
export interface Pds {
  url: string
  /** Makes an account; the app password is one that can post and no more. */
  account(handle: string): Promise<{ did: string; token: string; appPassword: string }>
  /** Calls a method: a query without a body, else a procedure. */
  call(method: string, options?: { token?: string; query?: Record<string, string>; body?: unknown }): Promise<Answer>
  close(): Promise<void>
}

// biome-ignore lint/suspicious/noExplicitAny: answers of any method
type Answer = any

const PASSWORD = 'a long password of the account'

export async function startPds(): Promise<Pds> {
  const port = await freePort()
  const child = fork(PROCESS, [String(port)], { silent: true })
  await started(child)
  const url = `http://localhost:${port}`
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
    call,
    async account(handle) {
      const body = { handle, email: `${handle}@example.com`, password: PASSWORD }
      const { did, accessJwt: token } = await call('com.atproto.server.createAccount', { body })
      const made = await call('com.atproto.server.createAppPassword', { token, body: { name: 'shopwright' } })
      return { did, token, appPassword: made.password }
    },
    close: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve())
        child.kill('SIGKILL')
      }),
  }
}

function started(child: ChildProcess): Promise<void> {
  let said = ''
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', (words) => String(words).startsWith('http') && resolve())
    child.stderr?.on('data', (words) => {
      said += words
    })
    child.once('exit', () => reject(new Error(`The server did not start: ${said.slice(-2_000)}`)))
  })
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
