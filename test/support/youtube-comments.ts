import { type Answer, type Body, type Incoming, jsonIn } from './network-server.ts'
import { refusal } from './youtube-refusals.ts'

interface Comment {
  id: string
  video: string
  parent: string | null
  text: string
  author: string
  status: string
  at: string
}

type Filter = (id: string) => boolean

/** Comments of the YouTube Data API: threads with one level of answers. */
export class YouTubeComments {
  all: Comment[] = []
  turnedOff = false
  #made = 0

  /** Another person comments on a video or replies to a comment. */
  received(video: string, text: string, parent: string | null = null): string {
    return this.#add({ video, text, parent, author: 'UC9' }).id
  }

  answer(route: string, request: Incoming, isVideo: Filter): Answer {
    const { query } = request
    if (route === 'GET /commentThreads') return this.#threads(query, isVideo)
    if (route === 'POST /commentThreads') return this.#begin(request, isVideo)
    if (route === 'GET /comments') return this.#list(query)
    if (route === 'POST /comments') return this.#reply(request)
    if (route === 'POST /comments/setModerationStatus') return this.#moderate(query)
    return route === 'DELETE /comments' ? this.#delete(query.get('id') ?? '') : [404, {}]
  }

  #add({ video, text, parent, author }: Pick<Comment, 'video' | 'text' | 'parent' | 'author'>): Comment {
    const id = parent === null ? `Ugx${++this.#made}` : `${parent}.${++this.#made}`
    const at = new Date(1_790_000_000_000 + this.#made * 1000).toISOString()
    const comment = { id, video, parent, text, author, status: 'published', at }
    this.all.push(comment)
    return comment
  }

  #threads(query: URLSearchParams, isVideo: Filter): Answer {
    const video = query.get('videoId') ?? ''
    if (query.get('part') !== 'snippet,replies' || query.get('textFormat') !== 'plainText' || !isMost(query))
      return refusal(400, 'badRequest', 'Bad Request')
    if (query.get('order') !== 'time') return refusal(400, 'badRequest', 'Bad Request')
    if (!isVideo(video)) return refusal(404, 'videoNotFound', 'The video could not be found.')
    if (this.turnedOff) return refusal(403, 'commentsDisabled', 'The video has disabled comments.')
    const tops = this.all.filter((one) => one.video === video && one.parent === null).toReversed()
    return [200, { items: tops.map((one) => this.#thread(one)) }]
  }

  /** A thread contains only one of its replies. */
  #thread(top: Comment): Body {
    const answers = this.all.filter(({ parent }) => parent === top.id)
    return {
      kind: 'youtube#commentThread',
      id: top.id,
      snippet: { videoId: top.video, topLevelComment: shown(top), totalReplyCount: answers.length },
      ...(answers.length > 0 && { replies: { comments: answers.slice(0, 1).map(shown) } }),
    }
  }

  #begin(request: Incoming, isVideo: Filter): Answer {
    const { videoId, topLevelComment, ...more } = jsonIn(request)?.snippet ?? {}
    const text = topLevelComment?.snippet?.textOriginal
    if (request.query.get('part') !== 'snippet' || Object.keys(more).length > 0 || !text)
      return refusal(400, 'commentTextRequired', 'The comment text is required.')
    if (!isVideo(videoId)) return refusal(404, 'videoNotFound', 'The video could not be found.')
    if (this.turnedOff) return refusal(403, 'commentsDisabled', 'The video has disabled comments.')
    return [200, this.#thread(this.#add({ video: videoId, text, parent: null, author: 'UC1' }))]
  }

  #list(query: URLSearchParams): Answer {
    const [ids, parent] = [query.get('id'), query.get('parentId')]
    if (query.get('part') !== 'snippet' || (ids === null) === (parent === null))
      return refusal(400, 'badRequest', 'Bad Request')
    const found = this.all.filter((one) => (ids === null ? one.parent === parent : ids.split(',').includes(one.id)))
    return [200, { items: found.toReversed().map(shown) }]
  }

  #reply(request: Incoming): Answer {
    const { parentId, textOriginal: text, ...more } = jsonIn(request)?.snippet ?? {}
    const parent = this.all.find(({ id }) => id === parentId)
    if (Object.keys(more).length > 0 || !text)
      return refusal(400, 'commentTextRequired', 'The comment text is required.')
    if (!parent || parent.parent !== null)
      return refusal(404, 'parentCommentNotFound', 'The parent could not be found.')
    return [200, shown(this.#add({ video: parent.video, text, parent: parentId, author: 'UC1' }))]
  }

  #moderate(query: URLSearchParams): Answer {
    const comment = this.all.find(({ id }) => id === query.get('id'))
    const status = query.get('moderationStatus') ?? ''
    if (!['heldForReview', 'published', 'rejected'].includes(status))
      return refusal(400, 'badRequest', 'The moderation status is not known.')
    if (!comment) return refusal(404, 'commentNotFound', 'The comment could not be found.')
    comment.status = status
    return [204]
  }

  #delete(id: string): Answer {
    const comment = this.all.find((one) => one.id === id)
    if (!comment) return refusal(404, 'commentNotFound', 'The comment could not be found.')
    if (comment.author !== 'UC1') return refusal(403, 'forbidden', 'The comment cannot be deleted.')
    this.all = this.all.filter((one) => one !== comment)
    return [204]
  }
}

function isMost(query: URLSearchParams): boolean {
  const most = Number(query.get('maxResults'))
  return most >= 1 && most <= 100
}

function shown({ id, text, author, parent, at }: Comment): Body {
  const isOwn = author === 'UC1'
  return {
    kind: 'youtube#comment',
    id,
    snippet: {
      textDisplay: text,
      ...(isOwn && { textOriginal: text }),
      authorDisplayName: isOwn ? '@kestrel' : '@mara',
      authorChannelId: { value: author },
      likeCount: 4,
      publishedAt: at,
      ...(parent !== null && { parentId: parent }),
    },
  }
}
