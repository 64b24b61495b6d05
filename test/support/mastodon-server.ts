import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

// biome-ignore lint/suspicious/noExplicitAny: bodies of any call
type Body = any

/** A strict stand-in for an instance, made from the documentation of the API: what it does not describe is refused. */
export interface MastodonServer {
  url: string
  token: string
  statuses: Body[]
  media: { id: string; bytes: number; looks: number; description: string | null }[]
  likes: string[]
  /** The next answer to a new status is lost on its way, although the status is there. */
  losesAnswer: boolean
  /** Forgets the keys of earlier requests, as instances do after an hour. */
  forget(): void
  close(): Promise<void>
}

const TOKEN = 'token-of-the-instance'
const MOST_CHARACTERS = 500

export async function startMastodon(): Promise<MastodonServer> {
  const keys = new Map<string, Body>()
  const server: MastodonServer = {
    url: '',
    token: TOKEN,
    statuses: [],
    media: [],
    likes: [],
    losesAnswer: false,
    forget: () => keys.clear(),
    close: () => new Promise((resolve) => http.close(() => resolve())),
  }
  const account = () => ({
    ...{ id: '7', username: 'kestrel', acct: 'kestrel', display_name: 'Kestrel', url: `${server.url}/@kestrel` },
    ...{ avatar: `${server.url}/a.png`, followers_count: 12 },
  })
  const create = (body: Body, key: string): [number, Body] => {
    const known = keys.get(key)
    if (known) return [200, known]
    if (typeof body.status !== 'string' || [...body.status].length > MOST_CHARACTERS)
      return [422, { error: `Validation failed: Text character limit of ${MOST_CHARACTERS} exceeded` }]
    if (body.in_reply_to_id && !server.statuses.some(({ id }) => id === body.in_reply_to_id))
      return [404, { error: 'The post you are trying to reply to does not appear to exist.' }]
    for (const id of body.media_ids ?? [])
      if (!server.media.some((one) => one.id === id && one.looks > 1))
        return [422, { error: 'Cannot attach files that have not finished processing.' }]
    const id = String(1000 + server.statuses.length)
    const content = `<p>${body.status.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('\n', '<br />')}</p>`
    const status = {
      ...{ id, content, url: `${server.url}/@kestrel/${id}`, created_at: new Date().toISOString(), account: account() },
      ...{ in_reply_to_id: body.in_reply_to_id ?? null, favourites_count: 3, reblogs_count: 2, replies_count: 1 },
      media_attachments: body.media_ids ?? [],
    }
    server.statuses.unshift(status)
    keys.set(key, status)
    return [200, status]
  }
  const answer = (request: IncomingMessage, sent: Buffer): [number, Body] => {
    const { method, headers } = request
    const { pathname, searchParams } = new URL(request.url!, server.url)
    if (headers.authorization !== `Bearer ${TOKEN}`) return [401, { error: 'The access token is invalid' }]
    const route = `${method} ${pathname}`
    if (route === 'GET /api/v1/accounts/verify_credentials') return [200, account()]
    if (route === 'GET /api/v1/accounts/7/statuses') {
      const own = server.statuses.filter(
        ({ in_reply_to_id }) => searchParams.get('exclude_replies') !== 'true' || in_reply_to_id === null,
      )
      return [200, own.slice(0, Number(searchParams.get('limit')))]
    }
    if (route === 'POST /api/v1/statuses') {
      const key = headers['idempotency-key']
      if (!headers['content-type']?.startsWith('application/json') || typeof key !== 'string')
        return [400, { error: 'bad request' }]
      return create(JSON.parse(sent.toString('utf8')), key)
    }
    if (route === 'POST /api/v2/media') {
      if (!headers['content-type']?.startsWith('multipart/form-data; boundary=') || !sent.includes('name="file"'))
        return [422, { error: 'no file' }]
      const id = `m${server.media.length}`
      const [, description = null] = /name="description"\r\n\r\n(.*?)\r\n--/s.exec(sent.toString('utf8')) ?? []
      server.media.push({ id, bytes: sent.length, looks: 0, description })
      return [202, { id, url: null }]
    }
    const [, medium] = /^GET \/api\/v1\/media\/(\w+)$/.exec(route) ?? []
    const found = server.media.find(({ id }) => id === medium)
    if (found) {
      found.looks += 1
      return found.looks > 1 ? [200, { id: found.id, url: `${server.url}/m.png` }] : [206, { id: found.id, url: null }]
    }
    const [, verb, id, what] = /^(GET|POST|DELETE) \/api\/v1\/statuses\/(\d+)(?:\/(\w+))?$/.exec(route) ?? []
    const status = server.statuses.find((one) => one.id === id)
    if (!status) return [404, { error: 'Record not found' }]
    if (verb === 'GET' && what === undefined) return [200, status]
    if (verb === 'GET' && what === 'context')
      return [
        200,
        { ancestors: [], descendants: server.statuses.filter(({ in_reply_to_id }) => in_reply_to_id === id) },
      ]
    if (verb === 'DELETE' && what === undefined) {
      server.statuses = server.statuses.filter((one) => one !== status)
      return [200, { id }]
    }
    if (verb === 'POST' && what === 'favourite') server.likes.push(status.id)
    else if (verb === 'POST' && what === 'unfavourite') server.likes = server.likes.filter((one) => one !== status.id)
    else return [404, { error: 'Not found' }]
    return [200, status]
  }
  const http = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const [status, body] = answer(request, Buffer.concat(chunks))
    if (server.losesAnswer && request.method === 'POST' && request.url === '/api/v1/statuses') {
      server.losesAnswer = false
      response.destroy()
      return
    }
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  http.unref()
  server.url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  return server
}
