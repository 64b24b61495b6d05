import { expiredToken, type Form, formOf, picked, refused, unexpected, unknownObject } from './graph-answers.ts'
import { type Container, Containers, listed } from './graph-containers.ts'
import { type Answer, type Body, type Incoming, NetworkServer } from './network-server.ts'
import { ThreadsLogin } from './threads-login.ts'

const USER = '2468'
const MOST_TEXT = 500
const ITEM = ['media_type', 'text', 'image_url', 'video_url', 'is_carousel_item', 'children', 'alt_text']
const READ = ['threads_basic']
const PUBLISH = [...READ, 'threads_content_publish']
const INSIGHTS = [...READ, 'threads_manage_insights']
const REPLIES = [...READ, 'threads_read_replies']

interface Post {
  id: string
  text: string | undefined
  to: string | null
  username: string
  timestamp: string
  container: Container | null
  hidden: boolean
}

type Route = [RegExp, string[], string[], (form: Form, ids: string[]) => Answer]

/** A strict stand-in for the Threads API, based on its documentation: it refuses everything undocumented. */
export class ThreadsServer extends NetworkServer {
  readonly login = new ThreadsLogin()
  readonly containers = new Containers({
    image: ['image/jpeg', 'image/png'],
    video: ['video/mp4', 'video/quicktime'],
  })
  posts: Post[] = []
  /** Posts of the last 24 hours, and how many are allowed. */
  quota = { used: 0, total: 250 }
  /** The number of the publication whose response is dropped: 1 is the next one, 0 is none. */
  losesAt = 0
  /** If true, nobody may reply, not even the account itself. */
  refusesReplies = false
  #made = 300

  protected answer(request: Incoming): Answer {
    if (request.host !== 'graph.threads.net') return refused('Unknown host', 2_500)
    if (!request.path.startsWith('/v1.0/')) return this.login.answer(request)
    const form = formOf(request)
    if (!form) return refused('Invalid request: the body must be a form', 100)
    const scopes = this.login.tokens.get(form.fields.get('access_token') ?? '')?.scopes
    if (!scopes) return expiredToken()
    const route = `${request.method} ${request.path.slice('/v1.0'.length)}`
    const found = this.#routes().find(([pattern]) => pattern.test(route))
    if (!found) return refused(`Unknown path components: ${route}`, 2_500)
    const [pattern, needed, parameters, act] = found
    const missing = needed.filter((one) => !scopes.includes(one))
    if (missing.length > 0) return refused(`Application does not have permission for this action`, 10, {}, 403)
    return unexpected(form, parameters) ?? act(form, pattern.exec(route)!.slice(1))
  }

  #routes(): Route[] {
    const makes = [...ITEM, 'reply_to_id', 'link_attachment']
    return [
      [/^GET \/me$/, READ, ['fields'], ({ fields }) => [200, picked(PROFILE, fields.get('fields'))]],
      [/^GET \/(?:me|2468)\/threads_insights$/, INSIGHTS, ['metric', 'since', 'until'], (form) => userInsights(form)],
      [/^GET \/2468\/threads_publishing_limit$/, PUBLISH, ['fields'], () => this.#limit()],
      [/^POST \/2468\/threads$/, PUBLISH, makes, (form) => this.#create(form)],
      [/^POST \/2468\/threads_publish$/, PUBLISH, ['creation_id'], (form) => this.#publish(form)],
      [/^GET \/2468\/threads$/, READ, ['fields', 'limit'], () => this.#own(false)],
      [/^GET \/2468\/replies$/, REPLIES, ['fields', 'limit'], () => this.#own(true)],
      [/^GET \/(179\d+)$/, PUBLISH, ['fields'], (_, [id]) => this.#state(id!)],
      [/^GET \/(3\d+)$/, READ, ['fields'], (_, [id]) => this.#permalink(id!)],
      [/^GET \/(3\d+)\/insights$/, INSIGHTS, ['metric'], ({ fields }) => insights(fields.get('metric'), MEDIA)],
      [/^GET \/(3\d+)\/conversation$/, REPLIES, ['fields', 'reverse', 'limit'], (_, [id]) => this.#conversation(id!)],
      [
        /^POST \/(3\d+)\/manage_reply$/,
        [...READ, 'threads_manage_replies'],
        ['hide'],
        (form, [id]) => this.#hide(id!, form),
      ],
      [/^DELETE \/(3\d+)$/, [...READ, 'threads_delete'], [], (_, [id]) => this.#delete(id!)],
    ]
  }

  /** Another person replies to a post. */
  reply(to: string, text: string, username = 'mara'): string {
    const id = String(++this.#made)
    this.posts.push({ id, text, to, username, timestamp: now(), container: null, hidden: false })
    return id
  }

  #limit(): Answer {
    const config = { quota_total: this.quota.total, quota_duration: 86_400 }
    return [200, { data: [{ quota_usage: this.quota.used, config }] }]
  }

  #create({ fields }: Form): Answer {
    const form: Record<string, string> = Object.fromEntries(fields)
    delete form.access_token
    const { media_type = '', text = '', reply_to_id: to } = form
    if ([...text].length > MOST_TEXT) return refused('Param text must be at most 500 characters long.', 100)
    if (to !== undefined && this.refusesReplies) return refused('You cannot reply to this post.', 10, {}, 403)
    if (to !== undefined && !this.posts.some(({ id }) => id === to)) return unknownObject(to)
    const wanted = { TEXT: text, IMAGE: form.image_url, VIDEO: form.video_url, CAROUSEL: form.children }[media_type]
    if (!wanted)
      return refused('(#100) Param media_type must be one of TEXT, IMAGE, VIDEO, CAROUSEL, with its content', 100)
    if (form.link_attachment !== undefined && media_type !== 'TEXT')
      return refused('(#100) link_attachment is for TEXT', 100)
    if (form.is_carousel_item === 'true' && text !== '') return refused('(#100) Items have no text', 100)
    if (media_type === 'CAROUSEL' && !this.#areReady(wanted.split(',')))
      return refused('(#100) Param children is invalid', 100)
    return [200, { id: this.containers.make(form).id }]
  }

  #areReady(children: string[]): boolean {
    const items = children.map((id) => this.containers.find(id))
    const fit = items.length >= 2 && items.length <= 20
    return fit && items.every((one) => one?.state === 'FINISHED' && one.form.is_carousel_item === 'true')
  }

  #state(id: string): Answer {
    const container = this.containers.find(id)
    if (!container) return unknownObject(id)
    return [200, { id, status: container.state, ...(container.words && { error_message: container.words }) }]
  }

  #publish({ fields }: Form): Answer {
    const container = this.containers.find(fields.get('creation_id') ?? '')
    if (container?.state !== 'FINISHED' || container.form.is_carousel_item === 'true')
      return refused('The requested resource does not exist', 24, { error_subcode: 4_279_009 })
    container.state = 'PUBLISHED'
    if (this.losesAt > 0 && --this.losesAt === 0) this.loses = /threads_publish$/
    const { text, reply_to_id: to = null } = container.form
    const id = String(++this.#made)
    this.posts.unshift({ id, text, to, username: PROFILE.username, timestamp: now(), container, hidden: false })
    return [200, { id }]
  }

  #own(replies: boolean): Answer {
    const own = this.posts.filter((one) => one.username === PROFILE.username && (one.to !== null) === replies)
    return [200, listed(own.map(shown))]
  }

  #permalink(id: string): Answer {
    if (!this.posts.some((one) => one.id === id)) return unknownObject(id)
    return [200, { id, permalink: `https://www.threads.com/@kestrel.books/post/${id}` }]
  }

  #conversation(id: string): Answer {
    if (!this.posts.some((one) => one.id === id)) return unknownObject(id)
    const isBelow = ({ to }: Post): boolean =>
      to === id || (to !== null && isBelow(this.posts.find((one) => one.id === to)!))
    const below = this.posts.filter(isBelow).toSorted((one, other) => Number(one.id) - Number(other.id))
    return [200, listed(below.map(shown))]
  }

  #hide(id: string, { fields }: Form): Answer {
    const post = this.posts.find((one) => one.id === id)
    if (!post?.to) return unknownObject(id)
    post.hidden = fields.get('hide') === 'true'
    return [200, { success: true }]
  }

  #delete(id: string): Answer {
    const post = this.posts.find((one) => one.id === id)
    if (post?.username !== PROFILE.username) return refused('Cannot delete a post of somebody else', 10, {}, 403)
    this.posts = this.posts.filter((one) => one !== post)
    return [200, { success: true, deleted_id: id }]
  }
}

const PROFILE = {
  ...{ id: USER, username: 'kestrel.books', name: 'Kestrel Books' },
  threads_profile_picture_url: 'https://scontent.example/t.jpg',
}
const MEDIA = { views: 400, likes: 11, replies: 2, reposts: 3, quotes: 1, shares: 5 }

function shown({ id, text, to, username, timestamp }: Post): Body {
  return { id, username, timestamp, ...(text && { text }), ...(to && { replied_to: { id: to } }) }
}

function now(): string {
  return new Date().toISOString().replace(/\.\d+Z/, '+0000')
}

function userInsights({ fields }: Form): Answer {
  const metric = fields.get('metric')
  if (metric === 'followers_count')
    return [200, { data: [{ name: metric, period: 'day', total_value: { value: 77 }, id: `${USER}/insights/x` }] }]
  if (metric !== 'views' || Number(fields.get('since')) < 1_712_991_600) return refused('(#100) Invalid metric', 100)
  const end_time = new Date(Number(fields.get('until')) * 1000).toISOString().replace(/\.\d+Z/, '+0000')
  return [200, { data: [{ name: 'views', period: 'day', values: [{ value: 90, end_time }] }] }]
}

function insights(metric: string | undefined, known: Record<string, number>): Answer {
  const names = metric?.split(',') ?? []
  if (names.some((name) => !(name in known))) return refused('(#100) Invalid metric', 100)
  return [200, { data: names.map((name) => ({ name, period: 'lifetime', values: [{ value: known[name] }] })) }]
}
