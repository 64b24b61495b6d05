import { type CommentRequest, OutcomeUnknownError, PlatformRefusedError } from '../provider.ts'
import { Anything, type Api, type Comment, Comments, CreatedComment } from './api.ts'

const NEWEST = 50
/** Matches `urn:li:comment:(urn:li:activity:1,2)`: the post, and the id of the comment within it. */
const URN = /^urn:li:comment:\((.+),([^,)]+)\)$/

interface NewComment {
  on: string
  text: string
  parent: string | null
}

export async function comment(api: Api, { on, text, parent }: NewComment): Promise<string> {
  const body = { actor: api.author, object: on, message: { text }, ...(parent !== null && { parentComment: parent }) }
  const path = `/rest/socialActions/${encodeURIComponent(parent ?? on)}/comments`
  return urnOf((await api.call(path, CreatedComment, { method: 'POST', body })).body, on)
}

/** Finds the account's own comment with this text, or null. Rejects if the app may not read comments. */
export async function earlierComment(api: Api, { on, text }: Pick<NewComment, 'on' | 'text'>): Promise<string | null> {
  const same = (await commentsOn(api, on)).find(({ actor, message }) => actor === api.author && message.text === text)
  return same ? urnOf(same, on) : null
}

export async function commentsOn(api: Api, on: string): Promise<Comment[]> {
  return (await api.call(`/rest/socialActions/${encodeURIComponent(on)}/comments?count=${NEWEST}`, Comments)).body
    .elements
}

export function urnOf({ id, commentUrn, object }: Pick<Comment, 'id' | 'commentUrn' | 'object'>, on: string): string {
  return commentUrn ?? `urn:li:comment:(${object ?? on},${id})`
}

/** Carries out an action on a comment and returns the URN of a new reply. */
export async function act(api: Api, request: CommentRequest): Promise<{ id: string | null }> {
  const { action, comment: urn, content } = request
  const [, post = '', id = ''] = URN.exec(urn) ?? []
  if (action === 'hide' || action === 'unhide')
    throw new PlatformRefusedError('LinkedIn does not let apps hide comments')
  if (action === 'reply') return { id: await replyOnce(api, request, { on: post, text: content ?? '', parent: urn }) }
  const actor = encodeURIComponent(api.author)
  const one = `/rest/socialActions/${encodeURIComponent(post)}/comments/${encodeURIComponent(id)}?actor=${actor}`
  const reaction = `/rest/reactions/(actor:${actor},entity:${encodeURIComponent(urn)})`
  if (action === 'delete') await api.call(one, Anything, { method: 'DELETE' })
  else if (action === 'unlike') await api.call(reaction, Anything, { method: 'DELETE' })
  else {
    const body = { root: urn, reactionType: 'LIKE' }
    await api.call(`/rest/reactions?actor=${actor}`, Anything, { method: 'POST', body })
  }
  return { id: null }
}

async function replyOnce(api: Api, { again }: CommentRequest, said: NewComment): Promise<string> {
  const known = again ? await earlierAnswer(api, said) : null
  return known ?? comment(api, said)
}

async function earlierAnswer(api: Api, { parent, on, text }: NewComment): Promise<string | null> {
  try {
    return await earlierComment(api, { on: parent ?? on, text })
  } catch (error) {
    if (!(error instanceof PlatformRefusedError) || error.expired) throw error
    throw new OutcomeUnknownError(
      'LinkedIn did not say whether the answer was published. Look at the post before you write it again.',
    )
  }
}
