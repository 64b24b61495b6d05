import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { SentAccount, SentContext, SentInstance, SentMedium, SentStatus } from './mastodon-entities.ts'
import { MastodonOAuth } from './mastodon-oauth.ts'

// biome-ignore lint/suspicious/noExplicitAny: bodies of any call
type Body = any
type Answer = [status: number, body: unknown, headers?: Record<string, string>]

interface Medium {
  id: string
  bytes: number
  looks: number
  description: string | null
}

/** The limits of Hollo 0.10 (fedify-dev/hollo, src/api/v2/instance.ts). */
const OF_HOLLO = {
  statuses: { max_characters: 10_000, max_media_attachments: 8, characters_reserved_per_url: 256 },
  media_attachments: {
    supported_mime_types: ['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'video/mp4', 'video/webm'],
    ...{ image_size_limit: 33_554_432, image_matrix_limit: 16_777_216 },
    ...{ video_size_limit: 134_217_728, video_frame_rate_limit: 120, video_matrix_limit: 16_777_216 },
  },
}

/** A token that the owner has created under Preferences, Development. */
const TOKEN = 'token-of-the-instance'
const OF_OWNER = ['read', 'write:statuses', 'write:media', 'write:favourites']

/** Matches mentions. Only their user name is shown. */
const MENTION =
  '<span class="h-card" translate="no"><a href="https://example.social/@$1" class="u-url mention">@<span>$1</span></a></span>'

/** A strict stand-in for an instance, based on the API documentation: it refuses everything undocumented. */
export class MastodonServer {
  readonly token = TOKEN
  readonly oauth = new MastodonOAuth()
  statuses: (SentStatus & { id: string })[] = []
  readonly media: Medium[] = []
  likes: string[] = []
  /** Drops the next response to a new status, although the status is created. */
  losesAnswer = false
  /** The end of the rate limit for statuses, if one applies. */
  limitedUntil: Date | null = null
  mostCharacters = 500
  /** Overrides fields of its account and the URLs of its statuses. */
  profile: Partial<SentAccount> = {}
  statusUrl: string | null = null
  /** Simulates a version without `/api/v2/instance`. */
  isOld = false
  /** The domain of its handles, which may differ from the domain of its pages. */
  domain = '127.0.0.1'
  /** Statuses that were deleted on the server. `goneAs` is the response status for them; some servers use 410. */
  readonly gone = new Set<string>()
  goneAs = 404
  /**
   * Simulates Hollo: it has different limits and does not enforce them, its ids are UUIDs, files are ready at once, and replying to a
   * deleted status is a different error.
   */
  isHollo = false
  url = ''
  readonly #keys = new Map<string, SentStatus>()
  readonly #http = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const [status, body, headers] = this.#answer(request, Buffer.concat(chunks))
      if (this.losesAnswer && request.method === 'POST' && request.url === '/api/v1/statuses') {
        this.losesAnswer = false
        response.destroy()
        return
      }
      response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body))
    })
  })

  async open(): Promise<this> {
    this.oauth.tokens.set(TOKEN, OF_OWNER)
    await new Promise<void>((resolve) => this.#http.listen(0, '127.0.0.1', resolve))
    this.#http.unref()
    this.url = `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}`
    return this
  }

  close = (): Promise<void> => new Promise((resolve) => this.#http.close(() => resolve()))

  /** Deletes the idempotency keys of earlier requests, as instances do after an hour. */
  forget(): void {
    this.#keys.clear()
  }

  #answer(request: IncomingMessage, sent: Buffer): Answer {
    const { pathname, searchParams } = new URL(request.url!, this.url)
    const route = `${request.method} ${pathname}`
    const type = request.headers['content-type']
    if (route === 'POST /api/v1/apps') return this.oauth.register(type, sent)
    if (route === 'GET /.well-known/oauth-authorization-server' && this.oauth.issuer !== null)
      return [200, { issuer: this.oauth.issuer, authorization_response_iss_parameter_supported: true }]
    if (route === 'POST /oauth/token') return this.oauth.token(type, sent)
    if (route === 'POST /oauth/revoke') return this.oauth.revoke(type, sent)
    if (route === 'GET /api/v2/instance' && !this.isOld) return [200, this.#instance()]
    if (route === 'GET /api/v1/instance') return [200, { uri: this.domain, ...this.#instance(), domain: undefined }]
    const scopes = this.oauth.scopesOf(request.headers.authorization)
    if (!scopes) return [401, { error: 'The access token is invalid' }]
    const may = (...wanted: string[]) => wanted.some((one) => scopes.includes(one))
    if (!may(...scopesFor(route))) return [403, { error: 'This action is outside the authorized scopes' }]
    if (route === 'GET /api/v1/accounts/verify_credentials') return [200, this.#account()]
    if (route === 'GET /api/v1/accounts/7/statuses') return [200, this.#ownStatuses(searchParams)]
    if (route === 'POST /api/v1/statuses') return this.#createStatus(request, sent)
    if (route === 'POST /api/v2/media') return this.#createMedium(type, sent)
    const [, medium] = /^GET \/api\/v1\/media\/(\w+)$/.exec(route) ?? []
    return medium === undefined ? this.#status(route) : this.#medium(medium)
  }

  #account(): SentAccount {
    return {
      ...{ id: '7', username: 'kestrel', acct: 'kestrel', display_name: 'Kestrel', url: `${this.url}/@kestrel` },
      ...{ avatar: `${this.url}/a.png`, followers_count: 12 },
      ...this.profile,
    }
  }

  #instance(): SentInstance {
    if (this.isHollo) return { domain: this.domain, version: '0.10.0', configuration: OF_HOLLO }
    return {
      domain: this.domain,
      version: '4.4.0',
      configuration: {
        statuses: { max_characters: this.mostCharacters, max_media_attachments: 2, characters_reserved_per_url: 30 },
        media_attachments: {
          supported_mime_types: ['image/png', 'image/jpeg', 'video/mp4'],
          ...{ image_size_limit: 1000, image_matrix_limit: 33_177_600 },
          ...{ video_size_limit: 2000, video_frame_rate_limit: 120, video_matrix_limit: 8_294_400 },
        },
      },
    }
  }

  #ownStatuses(query: URLSearchParams): SentStatus[] {
    const own = this.statuses.filter((one) => query.get('exclude_replies') !== 'true' || one.in_reply_to_id === null)
    return own.slice(0, Number(query.get('limit')))
  }

  #createStatus({ headers }: IncomingMessage, sent: Buffer): Answer {
    const key = headers['idempotency-key']
    if (!headers['content-type']?.startsWith('application/json') || typeof key !== 'string')
      return [400, { error: 'bad request' }]
    if (this.limitedUntil) {
      const limits = { 'X-RateLimit-Limit': '300', 'X-RateLimit-Remaining': '0' }
      const reset = { 'X-RateLimit-Reset': this.limitedUntil.toISOString() }
      return [429, { error: 'Too many requests' }, { ...limits, ...reset }]
    }
    const known = this.#keys.get(key)
    return known ? [200, known] : this.#publish(JSON.parse(sent.toString('utf8')), key)
  }

  #publish(body: Body, key: string): Answer {
    const most = this.isHollo ? Number.POSITIVE_INFINITY : this.mostCharacters
    if (typeof body.status !== 'string' || [...body.status].length > most)
      return [422, { error: `Validation failed: Text character limit of ${this.mostCharacters} exceeded` }]
    const isGone = (id: string) => this.gone.has(id) || !this.statuses.some((one) => one.id === id)
    if (body.in_reply_to_id && isGone(body.in_reply_to_id))
      return this.isHollo
        ? [500, 'Internal Server Error']
        : [404, { error: 'The post you are trying to reply to does not appear to exist.' }]
    for (const id of body.media_ids ?? [])
      if (!this.media.some((one) => one.id === id && (this.isHollo || one.looks > 1)))
        return [422, { error: 'Cannot attach files that have not finished processing.' }]
    const id = this.isHollo ? randomUUID() : String(1000 + this.statuses.length)
    const escaped = body.status.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('\n', '<br />')
    const content = `<p>${escaped.replaceAll(/@(\w+)@[\w.]*\w/g, MENTION)}</p>`
    const status: SentStatus & { id: string } = {
      ...{ id, content, url: this.statusUrl ?? `${this.url}/@kestrel/${id}`, created_at: new Date().toISOString() },
      ...(body.language && { language: body.language }),
      ...{ in_reply_to_id: body.in_reply_to_id ?? null, favourites_count: 3, reblogs_count: 2, replies_count: 1 },
      ...{ account: this.#account(), media_attachments: (body.media_ids ?? []).map((one: string) => ({ id: one })) },
    }
    this.statuses.unshift(status)
    this.#keys.set(key, status)
    return [200, status]
  }

  #createMedium(type: string | undefined, sent: Buffer): Answer {
    if (!type?.startsWith('multipart/form-data; boundary=') || !sent.includes('name="file"'))
      return [422, { error: 'Validation failed: File can’t be blank' }]
    const id = `m${this.media.length}`
    const [, description = null] = /name="description"\r\n\r\n(.*?)\r\n--/s.exec(sent.toString('utf8')) ?? []
    this.media.push({ id, bytes: sent.length, looks: 0, description })
    if (this.isHollo) return [200, { id, url: `${this.url}/m.png`, description } satisfies SentMedium]
    return [202, { id, url: null, description } satisfies SentMedium]
  }

  #medium(id: string): Answer {
    const medium = this.media.find((one) => one.id === id)
    if (!medium) return [404, { error: 'Record not found' }]
    medium.looks += 1
    const isReady = medium.looks > 1
    return [isReady ? 200 : 206, { id, url: isReady ? `${this.url}/m.png` : null } satisfies SentMedium]
  }

  #status(route: string): Answer {
    const [, verb, id, what] = /^(GET|POST|DELETE) \/api\/v1\/statuses\/([\w-]+)(?:\/(\w+))?$/.exec(route) ?? []
    const status = this.statuses.find((one) => one.id === id)
    if (!status || this.gone.has(status.id)) return [this.goneAs, { error: 'Record not found' }]
    if (verb === 'GET' && what === undefined) return [200, status]
    if (verb === 'GET' && what === 'context') {
      const descendants = this.statuses.filter(({ in_reply_to_id }) => in_reply_to_id === id)
      return [200, { ancestors: [], descendants } satisfies SentContext]
    }
    if (verb === 'DELETE' && what === undefined) {
      this.statuses = this.statuses.filter((one) => one !== status)
      return [200, { id }]
    }
    if (verb === 'POST' && what === 'favourite') this.likes.push(status.id)
    else if (verb === 'POST' && what === 'unfavourite') this.likes = this.likes.filter((one) => one !== status.id)
    else return [404, { error: 'Not found' }]
    return [200, status]
  }
}

/** Returns the documented scopes of a route. A token needs one of them. */
function scopesFor(route: string): string[] {
  if (route.startsWith('GET /api/v1/accounts/verify_credentials')) return ['profile', 'read', 'read:accounts']
  if (route.includes('/favourite') || route.includes('/unfavourite')) return ['write', 'write:favourites']
  if (route.includes('/media')) return ['write', 'write:media']
  return route.startsWith('GET') ? ['read', 'read:statuses'] : ['write', 'write:statuses']
}

export function startMastodon(): Promise<MastodonServer> {
  return new MastodonServer().open()
}
