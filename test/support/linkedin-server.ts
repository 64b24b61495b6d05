import { LinkedInUploads, type Upload } from './linkedin-uploads.ts'
import { type Answer, type Body, formIn, type Incoming, jsonIn, NetworkServer } from './network-server.ts'

export const LINKEDIN_SETTINGS = { LINKEDIN_CLIENT_ID: 'li-client', LINKEDIN_CLIENT_SECRET: 'li-secret' }
const REDIRECT = /^http:\/\/127\.0\.0\.1:\d+\/social\/callback\/linkedin$/
const KNOWN_SCOPES = ['openid', 'profile', 'email', 'w_member_social', 'r_member_social']
const AUTHOR = 'urn:li:person:m-7'
/** The oldest version that it takes; those before have ended (LinkedIn API, Migrations). */
export const OLDEST_VERSION = '202512'

interface Post {
  id: string
  commentary: string
  content: Body
  createdAt: number
}

/** A strict stand-in for LinkedIn's OAuth and versioned API, based on its documentation: it refuses everything undocumented. */
export class LinkedInServer extends NetworkServer {
  posts: Post[] = []
  comments: Body[] = []
  readonly #files = new LinkedInUploads(AUTHOR)
  readonly reactions = new Set<string>()
  readonly grants = new Map<string, string[]>()
  /** Whether LinkedIn has approved the app to read posts of members. */
  mayRead = false
  /** Posts that their author has deleted there. */
  readonly gone = new Set<string>()
  isLimited = false
  oldestVersion = OLDEST_VERSION
  readonly #codes = new Map<string, { redirect: string; scopes: string[] }>()
  #made = 100

  get uploads(): readonly Upload[] {
    return this.#files.all
  }

  /** The member grants access. Throws if LinkedIn would show an error. */
  allow(address: string): string {
    const { query, redirect } = this.#asked(address)
    const code = `code-${++this.#made}`
    this.#codes.set(code, { redirect, scopes: query.get('scope')?.split(' ') ?? [] })
    return `${redirect}?code=${code}&state=${encodeURIComponent(query.get('state') ?? '')}`
  }

  deny(address: string): string {
    const { query, redirect } = this.#asked(address)
    const words = 'error=user_cancelled_authorize&error_description=The+user+cancelled+the+authorization'
    return `${redirect}?${words}&state=${encodeURIComponent(query.get('state') ?? '')}`
  }

  #asked(address: string): { query: URLSearchParams; redirect: string } {
    const { pathname, searchParams: query } = new URL(address)
    const redirect = query.get('redirect_uri') ?? ''
    if (!pathname.endsWith('/www.linkedin.com/oauth/v2/authorization') || query.get('response_type') !== 'code')
      throw new Error('Bummer, something went wrong.')
    if (query.get('client_id') !== LINKEDIN_SETTINGS.LINKEDIN_CLIENT_ID || !REDIRECT.test(redirect))
      throw new Error('The redirect_uri does not match the registered value')
    const scopes = query.get('scope')?.split(' ') ?? []
    if (!scopes.every((one) => KNOWN_SCOPES.includes(one)))
      throw new Error('Scope is not authorized for your application')
    return { query, redirect }
  }

  protected answer(request: Incoming): Answer {
    const { host, path, method, headers } = request
    if (host === 'www.linkedin.com' && path.startsWith('/oauth/v2/')) return this.#oauth(request)
    const scopes = this.grants.get(/^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '')
    if (!scopes)
      return [
        401,
        {
          status: 401,
          code: 'REVOKED_ACCESS_TOKEN',
          message: 'The token used in the request has been revoked by the user',
        },
      ]
    if (host === 'www.linkedin.com' && method === 'PUT') return this.#files.receive(request)
    if (host !== 'api.linkedin.com') return [404, { message: 'No such host' }]
    if (path === '/v2/userinfo')
      return scopes.includes('profile') && scopes.includes('openid')
        ? [200, { sub: 'm-7', name: 'Ada Kestrel', picture: 'https://media.licdn.com/a.png' }]
        : denied('me.GET')
    if (!/^20\d{4}$/.test(String(headers['linkedin-version'])))
      return [
        400,
        { status: 400, code: 'VERSION_MISSING', message: 'A version must be present. Please specify a version.' },
      ]
    if (String(headers['linkedin-version']) < this.oldestVersion)
      return [
        426,
        {
          status: 426,
          code: 'NONEXISTENT_VERSION',
          message: `Requested version ${headers['linkedin-version']}01 is not active`,
        },
      ]
    if (headers['x-restli-protocol-version'] !== '2.0.0')
      return [400, { status: 400, message: 'X-RestLi-Protocol-Version must be 2.0.0' }]
    return this.#rest(request, scopes)
  }

  #rest(request: Incoming, scopes: string[]): Answer {
    const { method, path, query } = request
    const may = { write: scopes.includes('w_member_social'), read: this.mayRead }
    const route = `${method} ${path}`
    const action = query.get('action')
    if (this.isLimited && route === 'POST /rest/posts')
      return [429, { status: 429, message: 'Resource level throttle limit for calls to this resource is reached.' }]
    if (route === 'POST /rest/posts') return may.write ? this.#post(request) : denied('partnerApiPostsExternal.CREATE')
    if (route === 'GET /rest/posts')
      return may.read ? this.#list(query) : denied('partnerApiPostsExternal.FINDER-author')
    if (route === 'POST /rest/images' && action === 'initializeUpload') return this.#files.initialize(request, 'image')
    if (route === 'POST /rest/videos' && action === 'initializeUpload') return this.#files.initialize(request, 'video')
    if (route === 'POST /rest/videos' && action === 'finalizeUpload') return this.#files.finalize(request)
    const [, video] = /^GET \/rest\/videos\/(urn%3Ali%3Avideo%3A\w+)$/.exec(route) ?? []
    if (video) return this.#files.look(decodeURIComponent(video))
    const [, entity] = /^GET \/rest\/socialMetadata\/(urn%3A[^/]+)$/.exec(route) ?? []
    if (entity && may.read && this.gone.has(decodeURIComponent(entity)))
      return [404, { status: 404, message: `Entity ${decodeURIComponent(entity)} does not exist` }]
    if (entity) return may.read ? this.#metadata() : denied('socialMetadata.GET')
    return this.#social(request, route, may)
  }

  #social(request: Incoming, route: string, may: { write: boolean; read: boolean }): Answer {
    const [, verb, target = '', id] =
      /^(\w+) \/rest\/socialActions\/(urn%3A[^/]+)\/comments(?:\/([^/]+))?$/.exec(route) ?? []
    const on = decodeURIComponent(target)
    if (verb === 'POST' && may.write) return this.#comment(request, on)
    if (verb === 'GET') return may.read ? this.#listComments(on) : denied('partnerApiSocialActions.GET_ALL')
    if (verb === 'DELETE' && request.query.get('actor') === AUTHOR && may.write) {
      this.comments = this.comments.filter((one) => one.id !== decodeURIComponent(id ?? ''))
      return [204]
    }
    if (route === 'POST /rest/reactions' && request.query.get('actor') === AUTHOR && may.write) {
      const { root, reactionType } = jsonIn(request) ?? {}
      if (reactionType !== 'LIKE' || typeof root !== 'string') return [400, { message: 'root is required' }]
      this.reactions.add(root)
      return [201, undefined, { 'x-restli-id': 'r' }]
    }
    const [, entity] =
      /^DELETE \/rest\/reactions\/\(actor:urn%3Ali%3Aperson%3Am-7,entity:([^)]+\)?)\)$/.exec(route) ?? []
    if (!entity) return [404, { status: 404, message: `No virtual resource found for ${route}` }]
    this.reactions.delete(decodeURIComponent(entity))
    return [204]
  }

  #oauth(request: Incoming): Answer {
    const form = formIn(request)
    if (!form || request.method !== 'POST') return [400, { error: 'invalid_request' }]
    const { LINKEDIN_CLIENT_ID: id, LINKEDIN_CLIENT_SECRET: secret } = LINKEDIN_SETTINGS
    if (form.get('client_id') !== id || form.get('client_secret') !== secret)
      return [401, { error: 'invalid_client', error_description: 'Client authentication failed' }]
    if (request.path === '/oauth/v2/revoke') {
      this.grants.delete(form.get('token') ?? '')
      return [200]
    }
    const code = this.#codes.get(form.get('code') ?? '')
    this.#codes.delete(form.get('code') ?? '')
    if (request.path !== '/oauth/v2/accessToken' || form.get('grant_type') !== 'authorization_code' || !code)
      return [
        400,
        {
          error: 'invalid_request',
          error_description:
            'Unable to retrieve access token: appid/redirect uri/code verifier does not match authorization code. Or authorization code expired.',
        },
      ]
    if (code.redirect !== form.get('redirect_uri')) return [400, { error: 'invalid_redirect_uri' }]
    const access_token = `li-${++this.#made}`
    this.grants.set(access_token, code.scopes)
    return [200, { access_token, expires_in: 5_183_999, scope: code.scopes.join(','), token_type: 'Bearer' }]
  }

  #post(request: Incoming): Answer {
    const { author, commentary, visibility, distribution, content, lifecycleState, ...more } = jsonIn(request) ?? {}
    if (author !== AUTHOR || visibility !== 'PUBLIC' || lifecycleState !== 'PUBLISHED')
      return unprocessable('author, visibility and lifecycleState are wrong')
    if (distribution?.feedDistribution !== 'MAIN_FEED') return unprocessable('distribution is required')
    if (Object.keys(more).some((name) => name !== 'isReshareDisabledByAuthor')) return unprocessable('unknown field')
    if (typeof commentary !== 'string' || [...plain(commentary)].length > 3000)
      return unprocessable('commentary is too long')
    if (/(?<!\\)(?:\\\\)*[|{}@[\]()<>#*_~]/.test(commentary.replace(/\{hashtag\|\\#\|[\p{L}\p{N}]+\}/gu, '')))
      return unprocessable('commentary has reserved characters that are not escaped')
    const shown: string[] =
      content?.multiImage?.images?.map(({ id }: Body) => id) ?? (content ? [content.media?.id] : [])
    if (!shown.every((urn) => this.#files.isFinal(urn))) return unprocessable('The media asset is not ready')
    if (content?.multiImage && (shown.length < 2 || shown.length > 20))
      return unprocessable('multiImage needs 2 to 20 images')
    const same = this.posts.find(
      (one) => one.commentary === commentary && JSON.stringify(one.content) === JSON.stringify(content),
    )
    if (same) {
      const errorDetails = {
        inputErrors: [{ description: 'Duplicate post is detected', input: {}, code: 'DUPLICATE_POST' }],
      }
      return [422, { status: 422, message: `Content is a duplicate of ${same.id}`, errorDetails }]
    }
    const id = `urn:li:share:${7_000_000 + ++this.#made}`
    this.posts.push({ id, commentary, content, createdAt: Date.now() })
    return [201, undefined, { 'x-restli-id': id }]
  }

  #list(query: URLSearchParams): Answer {
    if (query.get('q') !== 'author' || query.get('author') !== AUTHOR) return [400, { message: 'q must be author' }]
    return [200, { elements: this.posts.toReversed().slice(0, Number(query.get('count'))) }]
  }

  #comment(request: Incoming, on: string): Answer {
    const { actor, object, message, parentComment } = jsonIn(request) ?? {}
    if (actor !== AUTHOR || typeof message?.text !== 'string')
      return [400, { message: 'actor and message are required' }]
    if (on !== (parentComment ?? object))
      return [400, { message: 'parentComment must be the comment that is answered' }]
    const id = String(9_000 + ++this.#made)
    const commentUrn = `urn:li:comment:(${object},${id})`
    const made = {
      id,
      commentUrn,
      actor,
      object,
      message,
      likesSummary: { totalLikes: 2 },
      ...(parentComment && { parentComment }),
    }
    this.comments.push(made)
    return [201, made, { 'x-restli-id': id }]
  }

  #listComments(on: string): Answer {
    return [
      200,
      { elements: this.comments.filter(({ object, parentComment = object }) => parentComment === on).toReversed() },
    ]
  }

  #metadata(): Answer {
    return [
      200,
      {
        reactionSummaries: { LIKE: { reactionType: 'LIKE', count: 5 }, PRAISE: { count: 1 } },
        commentSummary: { count: 2 },
      },
    ]
  }

  /** Another member writes a comment. */
  hear(object: string, text: string): string {
    const id = String(9_000 + ++this.#made)
    const commentUrn = `urn:li:comment:(${object},${id})`
    this.comments.push({ id, commentUrn, actor: 'urn:li:person:other', object, message: { text } })
    return commentUrn
  }
}

function plain(commentary: string): string {
  return commentary.replace(/\{hashtag\|\\#\|([^}]+)\}/g, '#$1').replace(/\\(.)/g, '$1')
}

function denied(what: string): Answer {
  return [403, { status: 403, code: 'ACCESS_DENIED', message: `Not enough permissions to access: ${what}.NO_VERSION` }]
}

function unprocessable(message: string): Answer {
  return [422, { status: 422, message, errorDetails: { inputErrors: [{ code: 'INVALID_VALUE' }] } }]
}
