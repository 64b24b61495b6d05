import { type Form, picked, refused, unknownObject } from './graph-answers.ts'
import { type Container, Containers, listed } from './graph-containers.ts'
import type { Answer, Body } from './network-server.ts'

const ID = '17841400'
const MOST_CAPTION = 2_200
const ITEM = [
  'image_url',
  'video_url',
  'media_type',
  'is_carousel_item',
  'alt_text',
  'share_to_feed',
  'caption',
  'children',
]
const READ = ['instagram_basic', 'pages_read_engagement']
const PUBLISH = [...READ, 'instagram_content_publish']
const COMMENTS = [...READ, 'instagram_manage_comments']
const INSIGHTS = [...READ, 'instagram_manage_insights']

interface Medium {
  id: string
  caption: string | undefined
  container: Container
  timestamp: string
}

interface Comment {
  id: string
  /** A medium or a comment. */
  to: string
  text: string
  username: string
  hidden: boolean
}

type Route = [RegExp, string[], string[], (form: Form, ids: string[]) => Answer]

/** The part of the Graph API for one Instagram professional account (Instagram API with Facebook Login). */
export class MetaInstagram {
  readonly containers = new Containers({ image: ['image/jpeg'], video: ['video/mp4', 'video/quicktime'] })
  readonly user = {
    ...{ id: ID, username: 'kestrel.books', name: 'Kestrel Books', followers_count: 250 },
    profile_picture_url: 'https://scontent.example/i.jpg',
  }
  media: Medium[] = []
  comments: Comment[] = []
  /** Posts of the last 24 hours, and how many are allowed. */
  quota = { used: 0, total: 50 }
  #made = 180_000

  routes(): Route[] {
    const range = ['metric', 'period', 'since', 'until']
    return [
      [/^GET \/(17841400)$/, READ, ['fields'], ({ fields }) => [200, picked(this.user, fields.get('fields'))]],
      [/^GET \/17841400\/content_publishing_limit$/, PUBLISH, ['fields'], () => this.#limit()],
      [/^POST \/17841400\/media$/, PUBLISH, ITEM, (form) => this.#create(form)],
      [/^POST \/17841400\/media_publish$/, PUBLISH, ['creation_id'], (form) => this.#publish(form)],
      [/^GET \/17841400\/media$/, READ, ['fields', 'limit'], () => this.#list()],
      [/^GET \/17841400\/insights$/, INSIGHTS, range, (form) => this.#accountInsights(form)],
      [/^GET \/(179\d+)$/, PUBLISH, ['fields'], (_, [id]) => this.#state(id!)],
      [/^GET \/(18\d+)$/, READ, ['fields'], ({ fields }, [id]) => this.#medium(id!, fields.get('fields'))],
      [/^GET \/(18\d+)\/insights$/, INSIGHTS, ['metric'], ({ fields }) => insights(fields.get('metric'), MEDIA)],
      [/^GET \/(18\d+)\/comments$/, COMMENTS, ['fields', 'limit'], (_, [id]) => this.#thread(id!)],
      [/^POST \/(18\d+)\/comments$/, COMMENTS, ['message'], ({ fields }, [id]) => this.#say(id!, fields)],
      [/^GET \/(19\d+)\/replies$/, COMMENTS, ['fields', 'limit'], (_, [id]) => [200, listed(this.#to(id!))]],
      [/^POST \/(19\d+)\/replies$/, COMMENTS, ['message'], ({ fields }, [id]) => this.#say(id!, fields)],
      [/^POST \/(19\d+)$/, COMMENTS, ['hide'], ({ fields }, [id]) => this.#hide(id!, fields.get('hide'))],
      [/^DELETE \/(19\d+)$/, COMMENTS, [], (_, [id]) => this.#delete(id!)],
    ]
  }

  /** Another person comments on a post or replies to a comment. */
  say(to: string, text: string, username = 'mara'): string {
    const id = String(10_000 + ++this.#made)
    this.comments.push({ id, to, text, username, hidden: false })
    return id
  }

  #limit(): Answer {
    const config = { quota_total: this.quota.total, quota_duration: 86_400 }
    return [200, { data: [{ quota_usage: this.quota.used, config }] }]
  }

  #create({ fields }: Form): Answer {
    const form: Record<string, string> = Object.fromEntries(fields)
    delete form.access_token
    delete form.appsecret_proof
    const { media_type, image_url, video_url, is_carousel_item, caption = '', children } = form
    if ([...caption].length > MOST_CAPTION)
      return refused('The caption was too long.', 36_004, { error_subcode: 2_207_010 })
    if (is_carousel_item === 'true' && form.caption !== undefined) return refused('(#100) Items have no caption', 100)
    if (media_type === 'CAROUSEL') return this.#carousel(form, children?.split(',') ?? [])
    if (media_type === undefined && !image_url)
      return refused('Only photo or video can be accepted as media type.', 9004)
    const isVideo = media_type === (is_carousel_item === 'true' ? 'VIDEO' : 'REELS')
    if (media_type !== undefined && !(isVideo && video_url)) return refused('(#100) media_type is not supported', 100)
    if (isVideo && form.alt_text !== undefined) return refused('(#100) alt_text is for images', 100)
    return [200, { id: this.containers.make(form).id }]
  }

  #carousel(form: Record<string, string>, children: string[]): Answer {
    const items = children.map((id) => this.containers.find(id))
    if (items.length < 2 || items.length > 10)
      return refused('A carousel has 2 to 10 items.', 100, { error_subcode: 2_207_003 })
    if (!items.every((one) => one?.form.is_carousel_item === 'true' && one.state === 'FINISHED'))
      return refused('Media ID is not available', 9007, { error_subcode: 2_207_027 })
    return [200, { id: this.containers.make(form).id }]
  }

  #state(id: string): Answer {
    const container = this.containers.find(id)
    if (!container) return unknownObject(id)
    const status = container.words === null ? 'Finished' : `Error: ${container.words}`
    return [200, { id, status_code: container.state, status }]
  }

  #publish({ fields }: Form): Answer {
    const container = this.containers.find(fields.get('creation_id') ?? '')
    if (container?.state !== 'FINISHED' || container.form.is_carousel_item === 'true')
      return refused('Media ID is not available', 9007, { error_subcode: 2_207_027 })
    container.state = 'PUBLISHED'
    const id = String(++this.#made)
    const timestamp = new Date().toISOString().replace(/\.\d+Z/, '+0000')
    this.media.unshift({ id, caption: container.form.caption, container, timestamp })
    this.quota.used += 1
    return [200, { id }]
  }

  #list(): Answer {
    return [200, listed(this.media.map(({ container: _, ...one }) => one))]
  }

  #medium(id: string, fields: string | undefined): Answer {
    const medium = this.media.find((one) => one.id === id)
    if (!medium) return unknownObject(id)
    const permalink = `https://www.instagram.com/p/${id}/`
    return [200, picked({ ...medium, permalink, like_count: 9, comments_count: this.#to(id).length }, fields)]
  }

  #to(id: string): Body[] {
    const mine = this.comments.filter(({ to }) => to === id)
    return mine.map(({ to: _, hidden: __, ...one }) => ({ ...one, like_count: 1 }))
  }

  /** The newest first, as the API has them; answers are inside. */
  #thread(id: string): Answer {
    if (!this.media.some((one) => one.id === id)) return unknownObject(id)
    const all = this.#to(id).map((one) => ({ ...one, replies: { data: this.#to(one.id) } }))
    return [200, listed(all.toReversed())]
  }

  #say(to: string, fields: Map<string, string>): Answer {
    const text = fields.get('message') ?? ''
    if (text === '' || ![...this.media, ...this.comments].some(({ id }) => id === to)) return unknownObject(to)
    return [200, { id: this.say(to, text, this.user.username) }]
  }

  #hide(id: string, hide: string | undefined): Answer {
    const comment = this.comments.find((one) => one.id === id)
    if (!comment || (hide !== 'true' && hide !== 'false')) return unknownObject(id)
    comment.hidden = hide === 'true'
    return [200, { success: true }]
  }

  #delete(id: string): Answer {
    if (!this.comments.some((one) => one.id === id)) return unknownObject(id)
    this.comments = this.comments.filter((one) => one.id !== id)
    return [200, { success: true }]
  }

  #accountInsights({ fields }: Form): Answer {
    const [since, until] = [Number(fields.get('since')), Number(fields.get('until'))]
    if (fields.get('period') !== 'day' || until - since > 30 * 86_400)
      return refused('(#100) There cannot be more than 30 days (2592000 s) between since and until', 100)
    const end = new Date(until * 1000).toISOString().replace(/\.\d+Z/, '+0000')
    return insights(fields.get('metric'), { reach: 70, follower_count: 4 }, 'day', end)
  }
}

const MEDIA = { views: 500, reach: 300, shares: 6, saved: 8 }

function insights(
  metric: string | undefined,
  known: Record<string, number>,
  period = 'lifetime',
  end_time?: string,
): Answer {
  const names = metric?.split(',') ?? []
  if (names.some((name) => !(name in known))) return refused('(#100) metric must be one of the following values', 100)
  const values = (name: string) => [{ value: known[name], ...(end_time && { end_time }) }]
  return [200, { data: names.map((name) => ({ name, period, values: values(name), id: `${ID}/insights/${name}` })) }]
}
