import { request } from 'node:http'
import { PASSWORD } from './pds.ts'

const API = '/@atproto/oauth-provider/~api'

interface Sent {
  method: 'GET' | 'POST'
  path: string
  headers: Record<string, string>
  body?: string
}

interface Received {
  status: number
  cookies: string[]
  text: string
}

/** The choices of a person on the authorization page of an AT Protocol server. */
interface Visitor {
  handle: string
  allows: boolean
}

/**
 * Goes through the pages of the reference server like a browser without rendering them. Returns the URL of the final redirect.
 */
export async function visitServer(address: string, { handle, allows }: Visitor): Promise<URL> {
  const page = new URL(address)
  const { cookies } = await send(page, {
    method: 'GET',
    path: page.pathname + page.search,
    headers: { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' },
  })
  const jar = new Map(cookies.map(pairOf))
  const call = async (method: string, body: object, headers: Record<string, string> = {}) => {
    const answer = await send(page, {
      method: 'POST',
      path: `${API}/${method}`,
      headers: {
        ...{ 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Mode': 'same-origin', 'Sec-Fetch-Dest': 'empty' },
        ...{ Origin: page.origin, Referer: page.href, 'Content-Type': 'application/json' },
        Cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
        'X-CSRF-Token': jar.get('csrf-token') ?? '',
        ...headers,
      },
      body: JSON.stringify(body),
    })
    for (const [name, value] of answer.cookies.map(pairOf)) jar.set(name, value)
    if (answer.status !== 200) throw new Error(`${method}: ${answer.status} ${answer.text}`)
    return JSON.parse(answer.text)
  }
  if (!allows) return backFrom((await call('reject', {})).url)
  const credentials = { locale: 'en', username: handle, password: PASSWORD }
  const { account, ephemeralToken } = await call('sign-in', credentials)
  const headers = { Authorization: `Bearer ${ephemeralToken}` }
  return backFrom((await call('consent', { did: account.did }, headers)).url)
}

/** Returns the target of the page with which the server redirects the browser. */
function backFrom(url: string): URL {
  const { searchParams } = new URL(url)
  const back = new URL(searchParams.get('redirect_uri')!)
  for (const [name, value] of searchParams)
    if (name !== 'redirect_uri' && name !== 'redirect_mode') back.searchParams.set(name, value)
  return back
}

function pairOf(cookie: string): [string, string] {
  const [pair = ''] = cookie.split(';')
  const at = pair.indexOf('=')
  return [pair.slice(0, at), pair.slice(at + 1)]
}

/** Like `fetch`, which cannot send the headers of a browser. */
function send({ hostname, port }: URL, { method, path, headers, body }: Sent): Promise<Received> {
  return new Promise((resolve, reject) => {
    const asked = request({ hostname, port, method, path, headers }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (chunk) => {
        text += chunk
      })
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, cookies: answer.headers['set-cookie'] ?? [], text }),
      )
    })
    asked.on('error', reject).end(body)
  })
}
