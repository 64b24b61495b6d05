import { createHash } from 'node:crypto'
import { type Answer, type Body, formIn, type Incoming, jsonIn, NetworkServer } from './network-server.ts'

export const PINTEREST_SETTINGS = { PINTEREST_APP_ID: '1500', PINTEREST_APP_SECRET: 'pinterest-secret' }
const REDIRECT = /^http:\/\/127\.0\.0\.1:\d+\/social\/callback\/pinterest$/
const BASIC = `Basic ${Buffer.from('1500:pinterest-secret').toString('base64')}`
const TO_PIN = ['boards:read', 'boards:write', 'pins:read', 'pins:write']

interface Grant {
  access: string
  refresh: string
  scopes: string[]
}

interface Medium {
  id: string
  status: 'registered' | 'processing' | 'succeeded' | 'failed'
  looks: number
  bytes: number
  hash: string
}

/** A strict stand-in for Pinterest's API v5 and its video store, based on the API description. */
export class PinterestServer extends NetworkServer {
  grants: Grant[] = []
  boards = [
    { id: '71', name: 'Kestrels' },
    { id: '72', name: 'Owls & more' },
  ]
  pins: (Body & { id: string })[] = []
  readonly media: Medium[] = []
  endsAs: 'succeeded' | 'failed' = 'succeeded'
  /** The number of seconds until the rate limit ends. */
  busySeconds = 0
  refusesWith: [status: number, message: string] | null = null
  /** Whether analytics are available, which requires a business account. */
  hasFigures = true
  /** The upload URL for videos, if it is not that of its store. */
  storeAt: string | null = null
  readonly #codes = new Map<string, { redirect: string; scopes: string[] }>()
  #made = 9_000

  allow = (address: string): string => {
    const { origin, pathname, searchParams: query } = new URL(address)
    const redirect = query.get('redirect_uri') ?? ''
    if (!`${origin}${pathname}`.endsWith('/www.pinterest.com/oauth/') || query.get('client_id') !== '1500')
      throw new Error('Invalid client')
    if (query.get('response_type') !== 'code' || !REDIRECT.test(redirect)) throw new Error('Invalid redirect URI')
    const code = `code-${++this.#made}`
    this.#codes.set(code, { redirect, scopes: query.get('scope')?.split(',') ?? [] })
    return `${redirect}?code=${code}&state=${encodeURIComponent(query.get('state') ?? '')}`
  }

  protected answer(request: Incoming): Answer {
    if (request.host === 'films.s3.amazonaws.com') return this.#receive(request)
    if (request.host !== 'api.pinterest.com') return [404, {}]
    if (request.path === '/v5/oauth/token') return this.#tokens(request)
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
    const grant = this.grants.find(({ access }) => access === token)
    if (!grant) return refused(401, 'Authentication failed.', 2)
    const route = `${request.method} ${request.path.replace('/v5', '')}`
    const found = this.#routes().find(([pattern]) => pattern.test(route))
    if (!found) return refused(404, `No such route: ${route}`)
    const [pattern, needed, act] = found
    if (!needed.every((one) => grant.scopes.includes(one))) return refused(403, 'Your application lacks a scope.', 3)
    return act(request, pattern.exec(route)?.[1] ?? '')
  }

  #routes(): [RegExp, string[], (request: Incoming, id: string) => Answer][] {
    return [
      [/^GET \/user_account$/, ['user_accounts:read'], () => this.#user()],
      [/^GET \/boards$/, ['boards:read'], ({ query }) => this.#boards(query)],
      [/^GET \/boards\/(\d+)$/, ['boards:read'], (_, id) => this.#board(id)],
      [/^GET \/boards\/(\d+)\/pins$/, ['boards:read', 'pins:read'], (_, id) => this.#pinsOf(id)],
      [/^POST \/pins$/, TO_PIN, (request) => this.#pin(jsonIn(request))],
      [/^POST \/media$/, ['pins:read', 'pins:write'], (request) => this.#register(jsonIn(request))],
      [/^GET \/media\/(\d+)$/, ['pins:read', 'pins:write'], (_, id) => this.#look(id)],
      [/^GET \/pins\/(\d+)\/analytics$/, ['boards:read', 'pins:read'], ({ query }, id) => this.#analytics(query, id)],
    ]
  }

  #tokens(request: Incoming): Answer {
    const form = formIn(request)
    if (request.headers.authorization !== BASIC) return refused(401, 'Authentication failed.', 2)
    if (!form || request.method !== 'POST') return refused(400, 'Invalid request', 1)
    if (form.get('grant_type') === 'refresh_token') {
      const grant = this.grants.find(({ refresh }) => refresh === form.get('refresh_token'))
      if (!grant) return refused(401, 'The refresh token is invalid.', 2)
      this.grants = this.grants.filter((one) => one !== grant)
      return this.#give(grant.scopes)
    }
    const code = this.#codes.get(form.get('code') ?? '')
    this.#codes.delete(form.get('code') ?? '')
    if (form.get('grant_type') !== 'authorization_code' || code?.redirect !== form.get('redirect_uri'))
      return refused(400, 'The authorization code is invalid.', 283)
    return this.#give(code.scopes)
  }

  #give(scopes: string[]): Answer {
    const grant = { access: `pina_${++this.#made}`, refresh: `pinr.${this.#made}`, scopes }
    this.grants.push(grant)
    const tokens = { access_token: grant.access, refresh_token: grant.refresh, token_type: 'bearer' }
    const times = { expires_in: 2_592_000, refresh_token_expires_in: 5_184_000 }
    return [200, { ...tokens, ...times, response_type: 'authorization_code', scope: scopes.join(' ') }]
  }

  #user(): Answer {
    const profile = { username: 'kestrel', account_type: 'BUSINESS', business_name: 'Kestrel', follower_count: 12 }
    return [200, { ...profile, profile_image: 'https://i.pinimg.example/k.jpg', website_url: null }]
  }

  /** Returns boards in pages of one board each. */
  #boards(query: URLSearchParams): Answer {
    if (Number(query.get('page_size')) > 250) return refused(400, 'page_size is larger than 250', 1)
    const start = Number(query.get('bookmark') ?? 0)
    const bookmark = start + 1 < this.boards.length ? String(start + 1) : null
    return [200, { items: this.boards.slice(start, start + 1).map(shownBoard), bookmark }]
  }

  #board(id: string): Answer {
    const board = this.boards.find((one) => one.id === id)
    return board ? [200, shownBoard(board)] : refused(404, 'Board not found.', 40)
  }

  #pinsOf(board: string): Answer {
    const items = this.pins.filter(({ board_id }) => board_id === board).toReversed()
    return [200, { items, bookmark: null }]
  }

  #pin({ board_id, title, description, link, alt_text, media_source, ...more }: Body): Answer {
    if (this.busySeconds > 0)
      return [429, { code: 8, message: 'You have exceeded your rate limit.' }, this.#limitHeaders()]
    const refusal = this.refusesWith
    this.refusesWith = null
    if (refusal) return refused(...refusal)
    if (Object.keys(more).length > 0) return refused(400, 'Additional properties are not allowed', 1)
    if (!this.boards.some(({ id }) => id === board_id)) return refused(404, 'Board not found.', 40)
    if ([...(title ?? '')].length > 100 || [...(description ?? '')].length > 800)
      return refused(400, 'The title or description is too long', 1)
    if ((link !== undefined && !URL.canParse(link)) || (alt_text ?? '').length > 500)
      return refused(400, 'The link or alt_text is invalid', 1)
    if (!this.#fits(media_source)) return refused(400, 'The media source is invalid', 1)
    const id = String(++this.#made)
    const created_at = new Date().toISOString().slice(0, 19)
    this.pins.push({ id, created_at, board_id, title, description, link, alt_text, media_source })
    return [201, { id, created_at, title, description, link, alt_text, board_id }]
  }

  #fits({ source_type: type, url, items, media_id, cover_image_key_frame_time, ...more }: Body): boolean {
    if (Object.keys(more).length > 0) return false
    if (type === 'image_url') return URL.canParse(url)
    if (type === 'multiple_image_urls')
      return items.length >= 2 && items.length <= 5 && items.every((one: Body) => URL.canParse(one.url))
    const medium = this.media.find(({ id }) => id === media_id)
    return type === 'video_id' && medium?.status === 'succeeded' && Number.isInteger(cover_image_key_frame_time)
  }

  #limitHeaders() {
    return { 'x-ratelimit-limit': '100', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(this.busySeconds) }
  }

  #register({ media_type, ...more }: Body): Answer {
    if (media_type !== 'video' || Object.keys(more).length > 0) return refused(400, 'media_type must be video', 1)
    const id = String(++this.#made)
    this.media.push({ id, status: 'registered', looks: 0, bytes: 0, hash: '' })
    const upload_parameters = { key: `uploads/${id}`, 'x-amz-signature': 'signed', policy: 'policy' }
    return [
      201,
      {
        media_id: id,
        media_type,
        upload_url: this.storeAt ?? `${this.url}/films.s3.amazonaws.com/`,
        upload_parameters,
      },
    ]
  }

  /** Receives an upload: a form with the signed fields first and the file last. */
  #receive({ method, headers, sent }: Incoming): Answer {
    const boundary = /^multipart\/form-data; boundary=(.+)$/.exec(headers['content-type'] ?? '')?.[1]
    if (method !== 'POST' || boundary === undefined || headers.authorization) return [400]
    if (headers['transfer-encoding'] || headers['content-length'] !== String(sent.length)) return [411]
    const head = sent.subarray(0, 4_000).toString('latin1')
    const start = head.indexOf('\r\n\r\n', head.indexOf('name="file"')) + 4
    const end = sent.length - `\r\n--${boundary}--\r\n`.length
    const isSigned = head.includes('name="x-amz-signature"\r\n\r\nsigned\r\n') && head.includes('name="policy"')
    const key = /name="key"\r\n\r\nuploads\/(\d+)\r\n/.exec(head.slice(0, start))?.[1]
    const medium = this.media.find(({ id }) => id === key)
    if (!isSigned || !medium || sent.subarray(end).toString('latin1') !== `\r\n--${boundary}--\r\n`) return [403]
    const film = sent.subarray(start, end)
    const hash = createHash('sha256').update(film).digest('hex')
    Object.assign(medium, { status: 'processing', bytes: film.length, hash })
    return [204]
  }

  #look(id: string): Answer {
    const medium = this.media.find((one) => one.id === id)
    if (!medium) return refused(404, 'Media not found', 50)
    if (medium.status !== 'registered') medium.looks += 1
    if (medium.looks === 2) medium.status = this.endsAs
    return [200, { media_id: id, media_type: 'video', status: medium.status }]
  }

  #analytics(query: URLSearchParams, id: string): Answer {
    const [from, to] = [query.get('start_date') ?? '', query.get('end_date') ?? '']
    const metrics = query.get('metric_types')?.split(',') ?? []
    const counts: Record<string, number> = { IMPRESSION: 7, OUTBOUND_CLICK: 3, PIN_CLICK: 9, SAVE: 2 }
    if (!this.pins.some((one) => one.id === id)) return refused(404, 'Pin not found.', 50)
    if (!this.hasFigures) return refused(403, 'Not authorized to access the analytics of this Pin.', 12)
    const days = (Date.parse(to) - Date.parse(from)) / 86_400_000
    if (!(days >= 0 && days <= 90) || !metrics.every((name) => name in counts))
      return refused(400, 'The dates or metric_types are invalid', 1)
    const given = Object.fromEntries(metrics.map((name) => [name, counts[name]]))
    const daily_metrics = [
      { date: to, data_status: 'READY', metrics: given },
      { date: from, data_status: 'PROCESSING', metrics: {} },
    ]
    return [200, { all: { daily_metrics, lifetime_metrics: {}, summary_metrics: given } }]
  }
}

function shownBoard({ id, name }: { id: string; name: string }): Body {
  return { id, name, description: '', owner: { username: 'kestrel' }, privacy: 'PUBLIC' }
}

function refused(status: number, message: string, code = 1): Answer {
  return [status, { code, message }]
}
