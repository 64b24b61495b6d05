import { GoogleOAuth } from './google-oauth.ts'
import { type Answer, type Body, type Incoming, jsonIn, NetworkServer } from './network-server.ts'
import { YouTubeComments } from './youtube-comments.ts'
import { refusal } from './youtube-refusals.ts'

const SCOPE = 'https://www.googleapis.com/auth/youtube.force-ssl'
const QUARTER_MIB = 262_144

interface Session {
  resource: Body
  type: string
  size: number
  received: number
  video: string | null
}

interface Video {
  id: string
  title: string
  description: string
  publishedAt: string
  bytes: number
  uploadStatus: string
  privacyStatus: string
  reason: string | null
  looks: number
}

/** A strict stand-in for the YouTube Data API v3, based on its documentation: it refuses everything undocumented. */
export class YouTubeServer extends NetworkServer {
  readonly oauth = new GoogleOAuth()
  readonly comments = new YouTubeComments()
  videos: Video[] = []
  readonly sessions = new Map<string, Session>()
  /** The channels of the person who grants access. */
  channels = [{ id: 'UC1', title: 'Kestrel Films', customUrl: '@kestrel' as string | undefined }]
  longUploads = 'allowed'
  /** The number of status requests until a video is processed. `endsAs` is the result. */
  looksNeeded = 2
  endsAs: { uploadStatus: string; reason: string | null } = { uploadStatus: 'processed', reason: null }
  /** Whether the app was audited. Uploads of other apps stay private. */
  audited = true
  /** Whether the daily quota is used up. */
  quotaUsed = false
  /** The maximum number of bytes that it accepts of the next chunk. */
  takesOnly: number | null = null
  #made = 0

  protected answer(request: Incoming): Answer {
    const { host, path, method } = request
    if (host === 'oauth2.googleapis.com') return this.oauth.answer(request)
    if (host !== 'www.googleapis.com') return [404, {}]
    const scopes = this.oauth.scopesOf(request.headers.authorization)
    if (!scopes) return refusal(401, 'authError', 'Request had invalid authentication credentials.')
    if (!scopes.includes(SCOPE))
      return refusal(403, 'insufficientPermissions', 'Request had insufficient authentication scopes.')
    if (this.quotaUsed)
      return refusal(
        403,
        'quotaExceeded',
        'The request cannot be completed because you have exceeded your <a href="/youtube/v3/getting-started#quota">quota</a>.',
      )
    if (path === '/upload/youtube/v3/videos') return method === 'POST' ? this.#start(request) : this.#receive(request)
    const route = `${method} ${path.replace('/youtube/v3', '')}`
    if (route === 'GET /channels') return this.#channels(request)
    if (route === 'GET /videos') return this.#list(request)
    if (route === 'GET /playlistItems') return this.#uploads(request)
    return this.comments.answer(route, request, (id) => this.videos.some((one) => one.id === id))
  }

  #channels({ query }: Incoming): Answer {
    const parts = query.get('part')?.split(',') ?? []
    if (query.get('mine') !== 'true') return refusal(400, 'missingRequiredParameter', 'No filter selected.')
    const items = this.channels.map(({ id, title, customUrl }) => ({
      id,
      ...(parts.includes('snippet') && {
        snippet: { title, customUrl, thumbnails: { default: { url: 'https://yt3.example/k.jpg' } } },
      }),
      ...(parts.includes('statistics') && { statistics: { subscriberCount: '12', hiddenSubscriberCount: false } }),
      ...(parts.includes('status') && { status: { longUploadsStatus: this.longUploads } }),
      ...(parts.includes('contentDetails') && { contentDetails: { relatedPlaylists: { uploads: `UU${id}` } } }),
    }))
    // Without channels, the response has no `items`.
    return [200, items.length > 0 ? { kind: 'youtube#channelListResponse', items } : { kind: 'x' }]
  }

  #start(request: Incoming): Answer {
    const { query, headers } = request
    const resource = jsonIn(request)
    const [size, type] = [Number(headers['x-upload-content-length']), headers['x-upload-content-type'] as string]
    if (query.get('uploadType') !== 'resumable' || query.get('part') !== 'snippet,status' || !resource)
      return refusal(400, 'badRequest', 'Bad Request')
    const { snippet, status, ...more } = resource
    if (Object.keys(more).length > 0 || !(size > 0) || !/^(video\/|application\/octet-stream)/.test(type))
      return refusal(400, 'badContent', 'Media type is not supported.')
    if (!snippet.title || [...snippet.title].length > 100 || /[<>]/.test(snippet.title))
      return refusal(400, 'invalidTitle', 'The request metadata specifies an invalid or empty video title.')
    if (Buffer.byteLength(snippet.description) > 5000 || /[<>]/.test(snippet.description))
      return refusal(400, 'invalidDescription', 'The request metadata specifies an invalid video description.')
    if (snippet.categoryId !== '22' || status.privacyStatus !== 'public' || status.selfDeclaredMadeForKids !== false)
      return refusal(400, 'invalidVideoMetadata', 'The request metadata is invalid.')
    const id = `session-${++this.#made}`
    this.sessions.set(id, { resource, type, size, received: 0, video: null })
    const location = `${this.url}/www.googleapis.com/upload/youtube/v3/videos?uploadType=resumable&upload_id=${id}`
    return [200, undefined, { Location: location }]
  }

  #receive({ method, query, headers, sent }: Incoming): Answer {
    const session = this.sessions.get(query.get('upload_id') ?? '')
    if (method !== 'PUT' || !session) return [404, undefined]
    const [, first, last, size] = /^bytes (?:(\d+)-(\d+)|\*)\/(\d+)$/.exec(String(headers['content-range'])) ?? []
    if (Number(size) !== session.size || headers['content-length'] !== String(sent.length))
      return refusal(400, 'badRequest', 'The range does not fit the upload.')
    if (session.video !== null) return [200, { kind: 'youtube#video', id: session.video }]
    if (first === undefined)
      return sent.length === 0 ? this.#incomplete(session) : refusal(400, 'badRequest', 'A range')
    const isLast = Number(last) === session.size - 1
    if (Number(first) !== session.received || Number(last) - Number(first) + 1 !== sent.length)
      return refusal(400, 'badRequest', 'The bytes do not follow those before.')
    if (!isLast && sent.length % QUARTER_MIB !== 0)
      return refusal(400, 'badRequest', 'A part is no multiple of 256 KiB.')
    if (headers['content-type'] !== session.type) return refusal(400, 'badRequest', 'Another type')
    session.received += this.takesOnly ?? sent.length
    this.takesOnly = null
    return session.received === session.size ? this.#complete(session) : this.#incomplete(session)
  }

  #incomplete({ received }: Session): Answer {
    return [308, undefined, received > 0 ? { Range: `bytes=0-${received - 1}` } : {}]
  }

  #complete(session: Session): Answer {
    const id = `video-${++this.#made}`
    session.video = id
    const { title, description } = session.resource.snippet
    const privacyStatus = this.audited ? 'public' : 'private'
    const more = { bytes: session.size, uploadStatus: 'uploaded', privacyStatus, reason: null, looks: 0 }
    this.videos.unshift({ id, title, description, publishedAt: new Date().toISOString(), ...more })
    return [201, { kind: 'youtube#video', id }]
  }

  #list({ query }: Incoming): Answer {
    const ids = query.get('id')?.split(',') ?? []
    if (ids.length === 0 || ids.length > 50) return refusal(400, 'invalidFilters', 'Invalid filters.')
    const found = this.videos.filter(({ id }) => ids.includes(id))
    if (query.get('part') === 'statistics') {
      const statistics = { viewCount: '100', likeCount: '3', favoriteCount: '0', commentCount: '2' }
      return [200, { items: found.map(({ id }) => ({ kind: 'youtube#video', id, statistics })) }]
    }
    if (query.get('part') !== 'status') return refusal(400, 'unknownPart', 'The part is not known.')
    return [200, { items: found.map((one) => this.#status(one)) }]
  }

  #status(video: Video): Body {
    video.looks += 1
    if (video.looks >= this.looksNeeded) Object.assign(video, this.endsAs)
    const { id, uploadStatus, privacyStatus, reason } = video
    const why = uploadStatus === 'rejected' ? { rejectionReason: reason } : { failureReason: reason }
    return { kind: 'youtube#video', id, status: { uploadStatus, privacyStatus, ...(reason !== null && why) } }
  }

  #uploads({ query }: Incoming): Answer {
    if (query.get('part') !== 'snippet,contentDetails' || Number(query.get('maxResults')) > 50)
      return refusal(400, 'badRequest', 'Bad Request')
    if (!this.channels.some(({ id }) => query.get('playlistId') === `UU${id}`))
      return refusal(404, 'playlistNotFound', 'The playlist cannot be found.')
    const items = this.videos.map(({ id, title, description, publishedAt }) => ({
      snippet: { title, description, publishedAt },
      contentDetails: { videoId: id },
    }))
    return [200, { items }]
  }
}
