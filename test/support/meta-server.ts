import { expiredToken, type Form, formOf, picked, refused, unexpected, unknownObject } from './graph-answers.ts'
import { listed } from './graph-containers.ts'
import { MetaInstagram } from './meta-instagram.ts'
import { MetaLogin } from './meta-login.ts'
import { MetaVideos } from './meta-videos.ts'
import { type Answer, type Body, type Incoming, NetworkServer } from './network-server.ts'

const PAGES = [
  { id: '101', name: 'Kestrel Books', username: 'kestrelbooks', instagram: true },
  { id: '102', name: 'Bird Club', instagram: false },
]
const PROFILE = ['id', 'name', 'username', 'link', 'picture', 'followers_count']
const AUTHOR = { id: '901', name: 'Mara Lind' }

interface Post {
  id: string
  page: string
  message: string | undefined
  link: string | undefined
  photos: string[]
  created_time: string
}

interface Comment {
  id: string
  /** A post or a comment. */
  to: string
  message: string
  from: { id: string; name: string }
  hidden: boolean
  liked: boolean
}

type Act = (form: Form, ids: string[], request: Incoming) => Answer
type Route = [pattern: RegExp, scopes: string[], parameters: string[], act: Act]

const READ = ['pages_read_engagement']
const ENGAGE = ['pages_manage_engagement']
const POST = ['pages_manage_posts']

/** A strict stand-in for Meta's Graph API, based on its documentation: it refuses everything undocumented. */
export class MetaServer extends NetworkServer {
  readonly login = new MetaLogin()
  readonly instagram = new MetaInstagram()
  readonly videos = new MetaVideos((id, description) => this.#post('101', { message: description, id }))
  posts: Post[] = []
  comments: Comment[] = []
  readonly photos: { id: string; bytes: number; alt: string | undefined }[] = []
  /** An error response for matching requests, which are not carried out. */
  fails: { route: RegExp; answer: Answer } | null = null
  /** Headers of every response. */
  usage: Record<string, string> = {}
  /** False if the page has too few followers for insights. */
  hasInsights = true
  #made = 5_000

  protected answer(request: Incoming): Answer {
    const [status, body, headers] = this.#answer(request)
    return [status, body, { ...this.usage, ...headers }]
  }

  #answer(request: Incoming): Answer {
    const { host, method } = request
    const [, path] = /^\/v25\.0(\/.*)$/.exec(request.path) ?? []
    const isVideo = host === 'graph-video.facebook.com'
    if (path === undefined || !(host === 'graph.facebook.com' || isVideo)) return refused('Unknown path', 2_500)
    if (path === '/oauth/access_token') return this.login.answer(request)
    const form = formOf(request)
    if (!form) return refused('Invalid request: the body must be a form', 100)
    const grant = this.login.grantOf(request)
    if (!grant)
      return form.fields.has('appsecret_proof')
        ? expiredToken()
        : refused('API calls from the server require an appsecret_proof argument', 100)
    const route = `${method} ${path}`
    if (this.fails?.route.test(route)) return this.fails.answer
    const found = this.#routes(grant).find(([pattern]) => pattern.test(route))
    if (!found) return refused(`Unknown path components: ${path}`, 2_500)
    const [pattern, scopes, parameters, act] = found
    const missing = scopes.filter((one) => !grant.scopes.includes(one))
    if (missing.length > 0) return refused(`(#200) Requires ${missing.join(', ')} permission`, 200, {}, 403)
    return unexpected(form, parameters) ?? act(form, pattern.exec(route)!.slice(1), request)
  }

  #routes(grant: { scopes: string[]; page: string | null }): Route[] {
    const person: Route[] = [
      [
        /^GET \/me\/permissions$/,
        [],
        [],
        () => [200, { data: grant.scopes.map((one) => ({ permission: one, status: 'granted' })) }],
      ],
      [
        /^GET \/me\/accounts$/,
        ['pages_show_list'],
        ['fields', 'limit', 'after'],
        (form) => this.#accounts(form, grant.scopes),
      ],
    ]
    if (grant.page === null) return person
    const page = grant.page
    const videos: Route[] = this.videos.routes(POST)
    return [
      ...videos,
      ...this.instagram.routes(),
      [/^GET \/me$/, READ, ['fields'], ({ fields }) => [200, picked(profileOf(page), fields.get('fields'))]],
      [
        /^GET \/me\/insights$/,
        ['read_insights'],
        ['metric', 'period', 'since', 'until'],
        (form) => this.#pageInsights(form),
      ],
      [/^POST \/(101)\/photos$/, POST, ['source', 'published', 'alt_text_custom'], (form) => this.#photo(form)],
      [/^POST \/(101)\/feed$/, POST, ['message', 'link', 'attached_media'], (form) => this.#feed(form, page)],
      [
        /^GET \/(101)\/published_posts$/,
        READ,
        ['fields', 'limit'],
        ({ fields }) => this.#published(fields.get('limit')),
      ],
      [/^GET \/(101_\d+)$/, READ, ['fields'], ({ fields }, [id]) => this.#shown(id!, fields.get('fields'))],
      [
        /^GET \/(101_\d+)\/insights$/,
        ['read_insights'],
        ['metric'],
        ({ fields }, [id]) => this.#postInsights(id!, fields.get('metric')),
      ],
      [
        /^GET \/([\d_]+)\/comments$/,
        ['pages_read_user_content'],
        ['fields', 'order', 'limit'],
        (_, [id]) => this.#answersTo(id!),
      ],
      [
        /^POST \/([\d_]+)\/comments$/,
        ENGAGE,
        ['message'],
        ({ fields }, [id]) => this.#comment(id!, fields.get('message'), page),
      ],
      [/^(POST|DELETE) \/([\d_]+)\/likes$/, ENGAGE, [], (_, [verb, id]) => this.#mark(id!, { liked: verb === 'POST' })],
      [
        /^POST \/([\d_]+)$/,
        ENGAGE,
        ['is_hidden'],
        ({ fields }, [id]) => this.#mark(id!, { hidden: fields.get('is_hidden') === 'true' }),
      ],
      [/^DELETE \/([\d_]+)$/, ENGAGE, [], (_, [id]) => this.#delete(id!)],
    ]
  }

  /** Another person comments on a post or replies to a comment. */
  say(to: string, message: string): string {
    const id = `${to.split('_').at(-1)}_${++this.#made}`
    this.comments.push({ id, to, message, from: AUTHOR, hidden: false, liked: false })
    return id
  }

  #accounts({ fields }: Form, scopes: string[]): Answer {
    const all = PAGES.map(({ id, instagram }) => ({
      ...profileOf(id),
      access_token: this.login.pageToken(id, scopes),
      tasks: ['ANALYZE', 'CREATE_CONTENT', 'MODERATE'],
      ...(instagram && scopes.includes('instagram_basic') && { instagram_business_account: this.instagram.user }),
    }))
    const reader = { ...profileOf('103'), access_token: 'reader', tasks: ['ANALYZE'] }
    const isFirst = !fields.has('after')
    const shown = (isFirst ? [all[0]!, reader] : [all[1]!]).map((one) => picked(one, fields.get('fields')))
    const next = isFirst ? { next: 'https://graph.facebook.com/v25.0/me/accounts?after=a' } : {}
    return [200, { data: shown, paging: { cursors: { before: 'b', after: 'a' }, ...next } }]
  }

  #photo({ fields, files }: Form): Answer {
    const bytes = files.get('source')?.length
    if (bytes === undefined || fields.get('published') !== 'false') return refused('(#324) Requires upload file', 324)
    const id = String(++this.#made)
    this.photos.push({ id, bytes, alt: fields.get('alt_text_custom') })
    return [200, { id }]
  }

  #feed({ fields }: Form, page: string): Answer {
    const attached = [...fields].filter(([name]) => name.startsWith('attached_media'))
    const photos = attached.map(([, value]) => String(JSON.parse(value).media_fbid))
    const [message, link] = [fields.get('message'), fields.get('link')]
    if (!message && !link && photos.length === 0) return refused('(#100) The post is empty', 100)
    if (!photos.every((id) => this.photos.some((one) => one.id === id)))
      return refused('(#100) Param attached_media must be valid', 100)
    return [200, { id: this.#post(page, { message, link, photos }) }]
  }

  #post(page: string, made: Partial<Post>): string {
    const id = `${page}_${made.id ?? ++this.#made}`
    const created_time = new Date().toISOString().replace(/\.\d+Z/, '+0000')
    this.posts.unshift({ page, message: made.message, link: made.link, photos: made.photos ?? [], created_time, id })
    return id
  }

  #published(limit: string | undefined): Answer {
    const shown = this.posts.slice(0, Number(limit)).map(({ id, message, created_time, photos }) => {
      const targets = photos.map((photo) => ({ target: { id: photo } }))
      const [only] = targets
      const attachment = targets.length > 1 ? { target: { id }, subattachments: { data: targets } } : only
      return {
        id,
        created_time,
        ...(message && { message }),
        ...(attachment && { attachments: { data: [attachment] } }),
      }
    })
    return [200, listed(shown)]
  }

  #shown(id: string, fields: string | undefined): Answer {
    if (!this.posts.some((one) => one.id === id)) return unknownObject(id)
    const mine = this.comments.filter(
      ({ to }) => to === id || this.comments.some((one) => one.id === to && one.to === id),
    )
    const data = mine.map(({ to, ...one }) => ({ ...one, like_count: 1, ...(to !== id && { parent: { id: to } }) }))
    const counted = { permalink_url: `https://www.facebook.com/${id}`, shares: { count: 2 } }
    const reactions = { data: [], summary: { total_count: 5 } }
    return [
      200,
      picked({ id, ...counted, reactions, comments: { data, summary: { total_count: data.length } } }, fields),
    ]
  }

  #postInsights(id: string, metric: string | undefined): Answer {
    if (!this.posts.some((one) => one.id === id)) return unknownObject(id)
    return this.#insights(
      metric,
      { post_media_view: 100, post_total_media_view_unique: 60, post_clicks: 7 },
      'lifetime',
    )
  }

  #pageInsights({ fields }: Form): Answer {
    if (fields.get('period') !== 'day') return refused('(#100) period must be day', 100)
    const views = { page_media_view: 300, page_total_media_view_unique: 200 }
    const until = new Date(Number(fields.get('until')) * 1000).toISOString().replace(/\.\d+Z/, '+0000')
    return this.#insights(
      fields.get('metric'),
      { ...views, page_follows: 40, page_daily_follows_unique: 3 },
      'day',
      until,
    )
  }

  #insights(metric: string | undefined, known: Record<string, number>, period: string, end_time?: string): Answer {
    const names = metric?.split(',') ?? []
    if (names.some((name) => !(name in known))) return refused('(#100) The value must be a valid insights metric', 100)
    const values = (name: string) => [{ value: known[name], ...(end_time && { end_time }) }]
    return [200, { data: this.hasInsights ? names.map((name) => ({ name, period, values: values(name) })) : [] }]
  }

  #answersTo(to: string): Answer {
    return [
      200,
      listed(this.comments.filter((one) => one.to === to).map(({ id, message, from }) => ({ id, message, from }))),
    ]
  }

  #comment(to: string, message: string | undefined, page: string): Answer {
    if (!message) return refused('(#100) A comment needs a message', 100)
    if (![...this.posts, ...this.comments].some(({ id }) => id === to)) return unknownObject(to)
    const id = `${to.split('_').at(-1)}_${++this.#made}`
    this.comments.push({ id, to, message, from: { id: page, name: 'Kestrel Books' }, hidden: false, liked: false })
    return [200, { id }]
  }

  #mark(id: string, change: Partial<Comment>): Answer {
    const comment = this.comments.find((one) => one.id === id)
    if (!comment) return unknownObject(id)
    Object.assign(comment, change)
    return [200, { success: true }]
  }

  #delete(id: string): Answer {
    if (!this.comments.some((one) => one.id === id)) return unknownObject(id)
    this.comments = this.comments.filter((one) => one.id !== id)
    return [200, { success: true }]
  }
}

function profileOf(id: string): Body {
  const { instagram: _, ...page } = PAGES.find((one) => one.id === id) ?? { id, name: 'Read only', instagram: false }
  const picture = { data: { url: `https://scontent.example/${id}.jpg` } }
  const profile = { ...page, link: `https://www.facebook.com/${page.name}`, picture, followers_count: 40 }
  return Object.fromEntries(Object.entries(profile).filter(([name]) => PROFILE.includes(name)))
}
