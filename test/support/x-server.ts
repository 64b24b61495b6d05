import { type Answer, type Body, type Incoming, jsonIn, NetworkServer } from './network-server.ts'
import { XOAuth } from './x-oauth.ts'

const MOST_PART = 5_000_000

interface Medium {
  id: string
  type: string
  category: string
  total: number
  parts: number[]
  /** The number of status requests since the upload was finalized; null before that. */
  looks: number | null
  description: string | null
}

interface Post {
  id: string
  text: string
  created_at: string
  to: string | null
  author: string
  media: string[]
  hidden: boolean
}

/** The scopes that requests need (docs.x.com, Authentication mapping). */
const READ = ['tweet.read', 'users.read']
const WRITE = [...READ, 'tweet.write']

/** A strict stand-in for X's API v2, based on its documentation: it refuses everything undocumented. */
export class XServer extends NetworkServer {
  readonly oauth = new XOAuth()
  posts: Post[] = []
  readonly media: Medium[] = []
  readonly likes = new Set<string>()
  /** Whether the plan of the app includes search. */
  maySearch = true
  subscription = 'None'
  /** The end of the rate limit for posts, in seconds since 1970. */
  limitedUntil = 0
  /** The result of processing a video. */
  endsProcessing: 'succeeded' | 'failed' = 'succeeded'
  #made = 1_000

  protected answer(request: Incoming): Answer {
    if (request.host !== 'api.x.com') return [404, { title: 'Not Found' }]
    if (request.path.startsWith('/2/oauth2/')) return this.oauth.answer(request)
    const scopes = this.oauth.scopesOf(request.headers.authorization)
    if (!scopes) return [401, { title: 'Unauthorized', type: 'about:blank', status: 401, detail: 'Unauthorized' }]
    const route = `${request.method} ${request.path}`
    const found = this.#routes().find(([pattern]) => pattern.test(route))
    if (!found) return [404, { title: 'Not Found', detail: `There is no ${route}` }]
    const [pattern, needed, act] = found
    if (!needed.every((one) => scopes.includes(one)))
      return [403, { title: 'Forbidden', detail: `This needs ${needed.join(', ')}` }]
    return act(request, pattern.exec(route)?.[1] ?? '')
  }

  #routes(): [RegExp, string[], (request: Incoming, id: string) => Answer][] {
    return [
      [/^GET \/2\/users\/me$/, READ, () => this.#me()],
      [/^POST \/2\/tweets$/, WRITE, (request) => this.#create(request)],
      [/^GET \/2\/tweets$/, READ, ({ query }) => this.#list(query.get('ids')?.split(',') ?? [])],
      [/^GET \/2\/tweets\/search\/recent$/, READ, ({ query }) => this.#search(query)],
      [/^GET \/2\/users\/7\/tweets$/, READ, ({ query }) => this.#timeline(query)],
      [/^DELETE \/2\/tweets\/(\d+)$/, WRITE, (_, id) => this.#delete(id)],
      [/^PUT \/2\/tweets\/(\d+)\/hidden$/, [...READ, 'tweet.moderate.write'], (request, id) => this.#hide(request, id)],
      [/^POST \/2\/users\/7\/likes$/, [...READ, 'like.write'], (request) => this.#like(request)],
      [/^DELETE \/2\/users\/7\/likes\/(\d+)$/, [...READ, 'like.write'], (_, id) => this.#unlike(id)],
      [/^POST \/2\/media\/upload\/initialize$/, ['media.write'], (request) => this.#initialize(request)],
      [/^POST \/2\/media\/upload\/(m\d+)\/append$/, ['media.write'], (request, id) => this.#append(request, id)],
      [/^POST \/2\/media\/upload\/(m\d+)\/finalize$/, ['media.write'], (_, id) => this.#finalize(id)],
      [/^GET \/2\/media\/upload$/, ['media.write'], ({ query }) => this.#look(query)],
      [/^POST \/2\/media\/metadata$/, ['media.write'], (request) => this.#describe(request)],
    ]
  }

  /** Another person replies to a post. */
  reply(to: string, text: string): string {
    const id = String(++this.#made)
    this.posts.push({ id, text, to, created_at: new Date().toISOString(), author: '8', media: [], hidden: false })
    return id
  }

  #me(): Answer {
    const user = { id: '7', username: 'kestrel', name: 'Kestrel', profile_image_url: 'https://pbs.twimg.com/k.png' }
    return [200, { data: { ...user, public_metrics: { followers_count: 12 }, subscription_type: this.subscription } }]
  }

  #create(request: Incoming): Answer {
    const body = jsonIn(request)
    if (this.limitedUntil > 0) {
      const headers = { 'x-rate-limit-limit': '17', 'x-rate-limit-remaining': '0' }
      const reset = { 'x-rate-limit-reset': String(this.limitedUntil) }
      return [429, { title: 'Too Many Requests', detail: 'Too Many Requests', status: 429 }, { ...headers, ...reset }]
    }
    const { text = '', media, reply, ...more } = body ?? {}
    const media_ids: string[] = media?.media_ids ?? []
    if (Object.keys(more).length > 0 || (text === '' && media_ids.length === 0))
      return invalid('Request body is invalid')
    if ([...text].length > 280) return forbidden('Your Tweet text is too long.')
    const to: string | null = reply?.in_reply_to_tweet_id ?? null
    if (to !== null && !this.posts.some(({ id }) => id === to))
      return forbidden('You attempted to reply to a Tweet that is deleted or not visible to you.')
    const films = media_ids.filter((id) => this.media.find((one) => one.id === id)?.category !== 'tweet_image')
    if (media_ids.length > 4 || (films.length > 0 && media_ids.length > 1))
      return invalid('Your media IDs are invalid.')
    if (!media_ids.every((id) => this.#isReady(id))) return invalid('Your media IDs are invalid.')
    if (this.posts.some((one) => one.author === '7' && one.text === text && one.to === to))
      return forbidden('You are not allowed to create a Tweet with duplicate content.')
    const id = String(++this.#made)
    const created_at = new Date().toISOString()
    this.posts.push({ id, text, created_at, to, author: '7', media: media_ids, hidden: false })
    return [201, { data: { id, text, edit_history_tweet_ids: [id] } }]
  }

  /** Returns a post as X shows it: links are shortened, media add a link, and three characters are escaped. */
  #shown({ id, text, created_at, to, author, media }: Post): Body {
    const urls: Body[] = []
    const shorten = (expanded_url: string, more = {}) => {
      const url = `https://t.co/${id}${urls.length}`
      urls.push({ url, expanded_url, ...more })
      return url
    }
    const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
    const short = escaped.replace(/(?:https?:\/\/)?kestrel\.example\S*/g, (link) =>
      shorten(link.startsWith('http') ? link : `http://${link}`),
    )
    const film =
      media.length > 0 ? ` ${shorten(`https://x.com/kestrel/status/${id}/photo/1`, { media_key: '3_1' })}` : ''
    const metrics = { like_count: 3, reply_count: 1, retweet_count: 2, quote_count: 1 }
    return {
      ...{ id, text: `${short}${film}`, created_at, author_id: author, entities: { urls } },
      conversation_id: this.#rootOf(id),
      ...(to !== null && { referenced_tweets: [{ type: 'replied_to', id: to }] }),
      public_metrics: { ...metrics, bookmark_count: 4, impression_count: 100 },
    }
  }

  #rootOf(id: string): string {
    const to = this.posts.find((one) => one.id === id)?.to ?? null
    return to === null ? id : this.#rootOf(to)
  }

  #list(ids: string[]): Answer {
    if (ids.length === 0 || ids.length > 100) return invalid('ids must have 1 to 100 values')
    return listed(this.posts.filter(({ id }) => ids.includes(id)).map((one) => this.#shown(one)))
  }

  #timeline(query: URLSearchParams): Answer {
    const most = Number(query.get('max_results'))
    if (most < 5 || most > 100) return invalid('max_results must be 5 to 100')
    const own = this.posts.filter(({ author }) => author === '7').toReversed()
    return listed(own.slice(0, most).map((one) => this.#shown(one)))
  }

  #search(query: URLSearchParams): Answer {
    if (!this.maySearch) return forbidden('Your plan does not include this endpoint.')
    const words = query.get('query') ?? ''
    if (words.length > 512) return invalid('query is longer than 512 characters')
    const conversations = [...words.matchAll(/conversation_id:(\d+)/g)].map(([, id]) => id!)
    const found = this.posts.filter(({ id }) => conversations.includes(this.#rootOf(id)) && !conversations.includes(id))
    const users = [
      { id: '8', username: 'mara', name: 'Mara Lind' },
      { id: '7', username: 'kestrel', name: 'Kestrel' },
    ]
    return [200, { ...listed(found.toReversed().map((one) => this.#shown(one)))[1], includes: { users } }]
  }

  #delete(id: string): Answer {
    const post = this.posts.find((one) => one.id === id)
    if (post?.author !== '7') return forbidden('You are not authorized to delete this Tweet.')
    this.posts = this.posts.filter((one) => one !== post)
    return [200, { data: { deleted: true } }]
  }

  #hide(request: Incoming, id: string): Answer {
    const post = this.posts.find((one) => one.id === id)
    const hidden = jsonIn(request)?.hidden
    if (!post || typeof hidden !== 'boolean') return invalid('The hidden field must be a boolean')
    post.hidden = hidden
    return [200, { data: { hidden } }]
  }

  #like(request: Incoming): Answer {
    const id = jsonIn(request)?.tweet_id
    if (!this.posts.some((one) => one.id === id)) return invalid('tweet_id is invalid')
    this.likes.add(id)
    return [200, { data: { liked: true } }]
  }

  #unlike(id: string): Answer {
    this.likes.delete(id)
    return [200, { data: { liked: false } }]
  }

  #initialize(request: Incoming): Answer {
    const { media_type: type, total_bytes: total, media_category: category, ...more } = jsonIn(request) ?? {}
    if (!type || !(total > 0) || !['tweet_image', 'tweet_gif', 'tweet_video'].includes(category))
      return invalid('media_type, total_bytes and media_category are required')
    if (Object.keys(more).length > 0) return invalid('unknown field')
    const id = `m${this.media.length}`
    this.media.push({ id, type, category, total, parts: [], looks: null, description: null })
    return [200, { data: { id, media_key: `3_${id}`, expires_after_secs: 86_400 } }]
  }

  #append({ headers, sent }: Incoming, id: string): Answer {
    const medium = this.media.find((one) => one.id === id)
    const [, boundary] = /^multipart\/form-data; boundary=(.+)$/.exec(headers['content-type'] ?? '') ?? []
    if (!medium || boundary === undefined) return invalid('append needs a form')
    const [, index] = /name="segment_index"\r\n\r\n(\d+)\r\n/.exec(sent.subarray(0, 1000).toString('latin1')) ?? []
    if (Number(index) !== medium.parts.length) return invalid('segment_index is wrong')
    const start = sent.indexOf('\r\n\r\n', sent.indexOf('name="media"')) + 4
    const bytes = sent.indexOf(`\r\n--${boundary}`, start) - start
    if (bytes <= 0 || bytes > MOST_PART) return invalid('media must have 1 to 5 MB')
    medium.parts.push(bytes)
    return [200, { data: { expires_at: 1_800_000_000 } }]
  }

  #finalize(id: string): Answer {
    const medium = this.media.find((one) => one.id === id)
    if (!medium || medium.parts.reduce((sum, bytes) => sum + bytes, 0) !== medium.total)
      return invalid('The size of the media is not total_bytes')
    medium.looks = 0
    return [200, { data: this.#upload(medium) }]
  }

  #look(query: URLSearchParams): Answer {
    const medium = this.media.find((one) => one.id === query.get('media_id'))
    if (query.get('command') !== 'STATUS' || medium?.looks == null) return invalid('command must be STATUS')
    medium.looks += 1
    return [200, { data: this.#upload(medium) }]
  }

  #upload({ id, category, looks }: Medium): Body {
    if (category === 'tweet_image') return { id }
    const done = this.endsProcessing
    const failed = done === 'failed' && {
      error: { code: 1, name: 'InvalidMedia', message: 'The video is not supported.' },
    }
    const info =
      (looks ?? 0) > 1
        ? { state: done, progress_percent: 100, ...failed }
        : { state: 'pending', check_after_secs: 0.01 }
    return { id, processing_info: info }
  }

  #isReady(id: string): boolean {
    const medium = this.media.find((one) => one.id === id)
    return medium?.looks != null && (medium.category === 'tweet_image' || medium.looks > 1)
  }

  #describe(request: Incoming): Answer {
    const { id, metadata } = jsonIn(request) ?? {}
    const medium = this.media.find((one) => one.id === id)
    const text = metadata?.alt_text?.text
    if (!medium || typeof text !== 'string' || [...text].length > 1000) return invalid('alt_text is invalid')
    medium.description = text
    return [200, { data: { id } }]
  }
}

function listed(data: Body[]): Answer {
  return [200, data.length > 0 ? { data, meta: { result_count: data.length } } : { meta: { result_count: 0 } }]
}

function invalid(message: string): Answer {
  return [400, { errors: [{ message }], title: 'Invalid Request', detail: 'One or more parameters was invalid.' }]
}

function forbidden(detail: string): Answer {
  return [403, { detail, type: 'about:blank', title: 'Forbidden', status: 403 }]
}
