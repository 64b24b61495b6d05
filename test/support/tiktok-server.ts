import { type Answer, type Body, formIn, type Incoming, jsonIn, NetworkServer } from './network-server.ts'

export const TIKTOK_SETTINGS = {
  TIKTOK_CLIENT_KEY: 'tiktok-key',
  TIKTOK_CLIENT_SECRET: 'tiktok-secret',
  TIKTOK_AUDITED: 'true',
}
const REDIRECT = /^http:\/\/127\.0\.0\.1:\d+\/social\/callback\/tiktok$/
const MB = 1_000_000

interface Grant {
  access: string
  refresh: string
  scopes: string[]
}

interface Post {
  id: string
  /** The public id, once the post is visible. TikTok's ids exceed the safe integers of JavaScript. */
  postId: string | null
  kind: 'video' | 'photo'
  words: Body
  size: number
  chunk: number
  chunks: number
  received: number
  status: string
  reason: string | null
  looks: number
  urls: string[]
}

/** A strict stand-in for TikTok's Content Posting, Display and Login APIs, based on their documentation. */
export class TikTokServer extends NetworkServer {
  grants: Grant[] = []
  posts: Post[] = []
  options = ['PUBLIC_TO_EVERYONE', 'MUTUAL_FOLLOW_FRIENDS', 'SELF_ONLY']
  longest = 300
  mayNotPost = false
  /** Whether TikTok has audited the app. */
  isAudited = true
  commentsOff = false
  /** The final status of posts. Their public id is available after `looksForId` status requests. */
  endsAs: { status: string; reason: string | null } = { status: 'PUBLISH_COMPLETE', reason: null }
  looksForId = 3
  /** The error for the next request to begin a post. */
  refusesWith: [status: number, code: string, message: string] | null = null
  /** The upload URL for videos, if it is not that of TikTok. */
  uploadsTo: string | null = null
  /** Whether the upload URLs have expired. */
  uploadsOver = false
  readonly #codes = new Map<string, { redirect: string; scopes: string[] }>()
  #made = 0

  /** The person grants access. Throws if TikTok would show an error. */
  allow = (address: string, allowed?: string[]): string => {
    const { origin, pathname, searchParams: query } = new URL(address)
    const redirect = query.get('redirect_uri') ?? ''
    if (!`${origin}${pathname}`.endsWith('/www.tiktok.com/v2/auth/authorize/')) throw new Error('Page not found')
    if (query.get('client_key') !== 'tiktok-key' || query.get('response_type') !== 'code' || !REDIRECT.test(redirect))
      throw new Error('Something went wrong: client_key')
    const code = `code-${++this.#made}*!`
    this.#codes.set(code, { redirect, scopes: allowed ?? query.get('scope')?.split(',') ?? [] })
    const state = encodeURIComponent(query.get('state') ?? '')
    return `${redirect}?code=${encodeURIComponent(code)}&scopes=x&state=${state}`
  }

  protected answer(request: Incoming): Answer {
    const { host, path, method } = request
    if (host === 'open-upload.tiktokapis.com') return this.#receive(request)
    if (host !== 'open.tiktokapis.com') return [404, {}]
    if (path.startsWith('/v2/oauth/')) return this.#tokens(request)
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
    const grant = this.grants.find(({ access }) => access === token)
    if (!grant) return refused(401, 'access_token_invalid', 'The access token is invalid or not found in the request.')
    const found = this.#routes()[`${method} ${path}`]
    if (!found) return refused(404, 'invalid_params', 'Unsupported path')
    const [scope, act] = found
    if (!grant.scopes.includes(scope))
      return refused(401, 'scope_not_authorized', 'The user did not authorize the scope required.')
    if (method === 'POST' && request.headers['content-type'] !== 'application/json; charset=UTF-8')
      return refused(400, 'invalid_params', 'Only application/json is accepted as the Content-Type.')
    return act(request)
  }

  #routes(): Record<string, [scope: string, (request: Incoming) => Answer]> {
    return {
      'GET /v2/user/info/': ['user.info.profile', ({ query }) => this.#user(query)],
      'POST /v2/post/publish/creator_info/query/': ['video.publish', () => this.#creator()],
      'POST /v2/post/publish/video/init/': ['video.publish', (request) => this.#beginVideo(jsonIn(request))],
      'POST /v2/post/publish/content/init/': ['video.publish', (request) => this.#beginPhotos(jsonIn(request))],
      'POST /v2/post/publish/status/fetch/': ['video.publish', (request) => this.#status(jsonIn(request))],
      'POST /v2/video/query/': ['video.list', (request) => this.#query(request)],
    }
  }

  #tokens(request: Incoming): Answer {
    const form = formIn(request)
    if (!form || request.method !== 'POST') return [400, { error: 'invalid_request', error_description: 'A form' }]
    if (form.get('client_key') !== 'tiktok-key' || form.get('client_secret') !== 'tiktok-secret')
      return [401, { error: 'invalid_client', error_description: 'Client key or secret is incorrect.', log_id: '1' }]
    if (request.path === '/v2/oauth/revoke/') {
      this.grants = this.grants.filter(({ access }) => access !== form.get('token'))
      return [200]
    }
    if (request.path !== '/v2/oauth/token/') return [404, {}]
    if (form.get('grant_type') === 'refresh_token') return this.#refresh(form.get('refresh_token') ?? '')
    const code = this.#codes.get(form.get('code') ?? '')
    this.#codes.delete(form.get('code') ?? '')
    if (form.get('grant_type') !== 'authorization_code' || code?.redirect !== form.get('redirect_uri'))
      return [200, { error: 'invalid_grant', error_description: 'Authorization code is expired.', log_id: '2' }]
    return this.#give(code.scopes)
  }

  #refresh(token: string): Answer {
    const grant = this.grants.find(({ refresh }) => refresh === token)
    if (!grant) return [200, { error: 'invalid_grant', error_description: 'Refresh token is invalid.', log_id: '3' }]
    this.grants = this.grants.filter((one) => one !== grant)
    return this.#give(grant.scopes)
  }

  #give(scopes: string[]): Answer {
    const grant = { access: `act.${++this.#made}`, refresh: `rft.${this.#made}`, scopes }
    this.grants.push(grant)
    const times = { expires_in: 7200, refresh_expires_in: 15_552_000, token_type: 'Bearer' }
    const tokens = { access_token: grant.access, refresh_token: grant.refresh }
    return [200, { open_id: 'o1', scope: scopes.join(','), ...tokens, ...times }]
  }

  #user(query: URLSearchParams): Answer {
    const fields = query.get('fields')?.split(',') ?? []
    const all: Body = {
      ...{ open_id: 'o1', display_name: 'Kestrel', username: 'kestrel', avatar_url: 'https://p16.example/k.jpg' },
      ...{ profile_deep_link: 'https://vm.tiktok.com/k', follower_count: 12 },
    }
    if (fields.length === 0 || fields.some((name) => !(name in all))) return refused(400, 'invalid_params', 'fields')
    return done({ user: Object.fromEntries(fields.map((name) => [name, all[name]])) })
  }

  #creator(): Answer {
    if (this.mayNotPost) return refused(200, 'spam_risk_user_banned_from_posting', 'The user is banned from posting.')
    return done({
      ...{ creator_avatar_url: 'https://p16.example/k.jpg', creator_username: 'kestrel', creator_nickname: 'Kestrel' },
      ...{ privacy_level_options: this.options, comment_disabled: this.commentsOff, duet_disabled: false },
      ...{ stitch_disabled: true, max_video_post_duration_sec: this.longest },
    })
  }

  #beginVideo({ post_info, source_info, ...more }: Body): Answer {
    const refusal = this.#checked(post_info, more)
    if (refusal) return refusal
    const { source, video_size: size, chunk_size: chunk, total_chunk_count: chunks } = source_info
    const fits = chunks === Math.max(1, Math.floor(size / chunk)) && chunks <= 1000
    const isWhole = chunks === 1 && chunk === size && size <= 64 * MB
    const isCut = size >= 5 * MB && chunk >= 5 * MB && chunk <= 64 * MB
    if (source !== 'FILE_UPLOAD' || !fits || !(isWhole || isCut) || size > 4000 * MB)
      return refused(400, 'invalid_params', 'The chunk size or the number of chunks is invalid')
    if ([...post_info.title].length > 2200 || post_info.disable_stitch !== true)
      return refused(400, 'invalid_params', 'The title is too long')
    const id = `v_pub_file~v2-1.${++this.#made}`
    this.#add({ id, kind: 'video', words: post_info, size, chunk, chunks, status: 'PROCESSING_UPLOAD', urls: [] })
    const upload_url = this.uploadsTo ?? `${this.url}/open-upload.tiktokapis.com/video/?upload_id=${id}`
    return done({ publish_id: id, upload_url })
  }

  #beginPhotos({ post_info, source_info, post_mode, media_type, ...more }: Body): Answer {
    const refusal = this.#checked(post_info, more)
    if (refusal) return refusal
    const urls: string[] = source_info.photo_images
    if (post_mode !== 'DIRECT_POST' || media_type !== 'PHOTO' || source_info.source !== 'PULL_FROM_URL')
      return refused(400, 'invalid_params', 'The post mode or media type is invalid')
    if (
      urls.length === 0 ||
      urls.length > 35 ||
      source_info.photo_cover_index !== 0 ||
      !urls.every((url) => URL.canParse(url))
    )
      return refused(400, 'invalid_params', 'The photos are invalid')
    if (post_info.title.length > 90 || post_info.description.length > 4000)
      return refused(400, 'invalid_params', 'The title or description is too long')
    const id = `p_pub_url~v2.${++this.#made}`
    this.#add({
      id,
      kind: 'photo',
      words: post_info,
      size: 0,
      chunk: 0,
      chunks: 0,
      status: 'PROCESSING_DOWNLOAD',
      urls,
    })
    return done({ publish_id: id })
  }

  #checked({ privacy_level, disable_comment, brand_content_toggle }: Body, more: Body): Answer | null {
    const refusal = this.refusesWith
    this.refusesWith = null
    if (refusal) return refused(...refusal)
    if (Object.keys(more).length > 0) return refused(400, 'invalid_params', 'An unknown field')
    if (!this.isAudited && privacy_level !== 'SELF_ONLY')
      return refused(
        403,
        'unaudited_client_can_only_post_to_private_accounts',
        'Unaudited clients can only post with SELF_ONLY',
      )
    if (brand_content_toggle && privacy_level === 'SELF_ONLY')
      return refused(400, 'invalid_params', 'Branded content cannot be private')
    if (!this.options.includes(privacy_level) || (this.commentsOff && disable_comment !== true))
      return refused(403, 'privacy_level_option_mismatch', 'privacy_level is not among the options of the creator')
    return null
  }

  #add(post: Pick<Post, 'id' | 'kind' | 'words' | 'size' | 'chunk' | 'chunks' | 'status' | 'urls'>): void {
    this.posts.push({ ...post, postId: null, received: 0, reason: null, looks: 0 })
  }

  #receive({ method, query, headers, sent }: Incoming): Answer {
    const post = this.posts.find(({ id }) => id === query.get('upload_id'))
    if (!post || this.uploadsOver) return [403]
    const [, first, last, size] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(String(headers['content-range'])) ?? []
    const index = Math.floor(post.received / post.chunk)
    const end = index === post.chunks - 1 ? post.size - 1 : (index + 1) * post.chunk - 1
    if (method !== 'PUT' || headers['content-type'] !== 'video/mp4' || headers.authorization) return [400]
    if (headers['content-length'] !== String(sent.length)) return [400]
    if (Number(first) !== post.received || Number(last) !== end || Number(size) !== post.size) return [416]
    if (sent.length !== end - Number(first) + 1) return [400]
    post.received += sent.length
    return [post.received === post.size ? 201 : 206]
  }

  #status({ publish_id }: Body): Answer {
    const post = this.posts.find(({ id }) => id === publish_id)
    if (!post) return refused(400, 'invalid_publish_id', 'The publish_id does not exist')
    if (post.received === post.size) post.looks += 1
    if (post.looks >= 2) Object.assign(post, this.endsAs)
    const isPublic = post.status === 'PUBLISH_COMPLETE' && post.looks >= this.looksForId
    if (isPublic) post.postId ??= `721053147505223${1000 + this.posts.indexOf(post)}`
    return done({
      status: post.status,
      ...(post.reason !== null && { fail_reason: post.reason }),
      publicaly_available_post_id: post.postId === null ? [] : [wholeNumber(post.postId)],
      uploaded_bytes: post.received,
    })
  }

  #query(request: Incoming): Answer {
    const fields = request.query.get('fields')?.split(',') ?? []
    const ids: string[] = jsonIn(request)?.filters?.video_ids ?? []
    if (ids.length === 0 || ids.length > 20 || !ids.every((id) => /^\d{19}$/.test(id)))
      return refused(400, 'invalid_params', 'The video_ids are invalid')
    const counts: Body = { like_count: 3, comment_count: 1, share_count: 2, view_count: 100 }
    const found = this.posts.filter(({ postId }) => postId !== null && ids.includes(postId))
    const shown = ({ postId: id }: Post) => Object.fromEntries(fields.map((name) => [name, { id, ...counts }[name]]))
    return done({ videos: found.map(shown) })
  }
}

/** Returns a value that is serialized as an unquoted integer of any length. */
function wholeNumber(digits: string): unknown {
  return (JSON as Body).rawJSON(digits)
}

function done(data: Body): Answer {
  return [200, { data, error: { code: 'ok', message: '', log_id: '20261125' } }]
}

function refused(status: number, code: string, message: string): Answer {
  return [status, { data: {}, error: { code, message, log_id: '20261125' } }]
}
