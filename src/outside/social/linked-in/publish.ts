import type { WebClient } from '../../web/client.ts'
import { OutcomeUnknownError, PlatformRefusedError, type Published, type PublishRequest } from '../provider.ts'
import { type Api, DuplicateError } from './api.ts'
import { comment, earlierComment } from './comments.ts'
import { contentOf } from './media.ts'
import { Anything, Posts } from './shapes.ts'
import { littleText } from './text.ts'

/** A post with the same words is an earlier try only if it is this young. */
const DAY_MS = 24 * 60 * 60 * 1000
const NEWEST = 20

/** Publishes a post with its first comment. */
export async function publishPost(api: Api, request: PublishRequest, web: WebClient): Promise<Published> {
  const { again, firstComment } = request
  const known = again ? await earlierPost(api, request) : null
  const id = known ?? (await create(api, request, web))
  const url = `https://www.linkedin.com/feed/update/${id}/`
  const commented = firstComment === null ? null : await commentOnce(api, { post: id, text: firstComment, again })
  return { id, url, firstCommentId: commented }
}

/**
 * What an earlier try has published whose answer was lost. Most apps may not read posts of members. LinkedIn refuses the same
 * words a second time, naming the post that is there, so words alone are sent again; files make another post of it.
 */
async function earlierPost(api: Api, { text, media }: PublishRequest): Promise<string | null> {
  const query = `author=${encodeURIComponent(api.author)}&q=author&count=${NEWEST}&sortBy=LAST_MODIFIED`
  try {
    const { elements } = (await api.call(`/rest/posts?${query}`, Posts)).body
    const youngest = Date.now() - DAY_MS
    const words = littleText(text)
    return elements.find((post) => post.createdAt > youngest && post.commentary === words)?.id ?? null
  } catch (error) {
    if (!(error instanceof PlatformRefusedError) || error.expired) throw error
    if (media.length === 0) return null
    throw new OutcomeUnknownError(
      'LinkedIn did not say whether the post was published, and does not let this app look. Look at the profile, and try again only if it is not there.',
    )
  }
}

async function create(api: Api, request: PublishRequest, web: WebClient): Promise<string> {
  const { text, media, signal, again } = request
  const content = await contentOf(api, media, { web, signal })
  const body = {
    author: api.author,
    commentary: littleText(text),
    visibility: 'PUBLIC',
    distribution: { feedDistribution: 'MAIN_FEED', targetEntities: [], thirdPartyDistributionChannels: [] },
    ...(content && { content }),
    lifecycleState: 'PUBLISHED',
    isReshareDisabledByAuthor: false,
  }
  try {
    const { id } = await api.call('/rest/posts', Anything, { method: 'POST', body })
    if (id === null) throw new Error('LinkedIn did not name the new post')
    return id
  } catch (error) {
    if (again && error instanceof DuplicateError) return error.post
    throw error
  }
}

/**
 * Null where LinkedIn refuses the comment, or where an earlier try may have sent it and nobody can look: the post is out, and no
 * comment goes out twice.
 */
async function commentOnce(
  api: Api,
  { post, text, again }: { post: string; text: string; again: boolean },
): Promise<string | null> {
  try {
    const known = again ? await earlierComment(api, { on: post, text }) : null
    return known ?? (await comment(api, { on: post, text, parent: null }))
  } catch (error) {
    if (error instanceof PlatformRefusedError) return null
    throw error
  }
}
