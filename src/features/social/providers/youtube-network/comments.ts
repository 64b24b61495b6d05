import { type CommentRequest, PlatformRefusedError } from '../provider.ts'
import { Anything, type Api, type Comment, CommentShape, Comments, Threads } from './api.ts'

const MOST = 100

export async function writeComment(api: Api, videoId: string, textOriginal: string): Promise<string> {
  const body = { snippet: { videoId, topLevelComment: { snippet: { textOriginal } } } }
  const { snippet } = await api.call('/commentThreads?part=snippet', OneThread, { method: 'POST', body })
  return snippet.topLevelComment.id
}

const OneThread = Threads.shape.items.element

/** Returns the comment threads of a video, the newest first. */
export async function threadsOf(api: Api, videoId: string) {
  const query = `part=snippet,replies&videoId=${encodeURIComponent(videoId)}&order=time&textFormat=plainText&maxResults=${MOST}`
  const { items } = await api.call(`/commentThreads?${query}`, Threads)
  return items
}

/** Returns the replies to a comment; a thread contains only a few of them. */
export async function answersTo(api: Api, parent: string): Promise<Comment[]> {
  const query = `part=snippet&parentId=${encodeURIComponent(parent)}&textFormat=plainText&maxResults=${MOST}`
  const { items } = await api.call(`/comments?${query}`, Comments)
  return items
}

export async function findOwnComment(api: Api, videoId: string, text: string): Promise<string | null> {
  const comments = (await threadsOf(api, videoId)).map(({ snippet }) => snippet.topLevelComment)
  return ownIn(comments, api, text)
}

function ownIn(comments: readonly Comment[], { channel }: Api, text: string): string | null {
  const own = comments.find(
    ({ snippet }) => snippet.authorChannelId?.value === channel && wordsOf(snippet).trim() === text.trim(),
  )
  return own?.id ?? null
}

/** Returns the original text of a comment, which YouTube shows only to the author, or else the displayed text. */
export function wordsOf({ textOriginal, textDisplay }: Comment['snippet']): string {
  return textOriginal ?? textDisplay
}

/**
 * Carries out an action on a comment. Comments by others are not deleted but get the moderation status `rejected`, because a
 * channel's owner cannot delete them.
 */
export async function actOn(api: Api, request: CommentRequest): Promise<{ id: string | null }> {
  const { action, comment, content, again } = request
  if (action === 'reply') return { id: await reply(api, { to: comment, text: content ?? '', again }) }
  if (action === 'hide') await moderate(api, comment, 'heldForReview')
  else if (action === 'unhide') await moderate(api, comment, 'published')
  else if (action === 'delete') await remove(api, comment)
  else throw new PlatformRefusedError(`YouTube does not let apps ${action} comments.`)
  return { id: null }
}

/** Replies to the top-level comment, because threads have one level. A reply's id begins with the id of that comment. */
async function reply(api: Api, { to, text, again }: { to: string; text: string; again: boolean }): Promise<string> {
  const [parentId = to] = to.split('.')
  const known = again ? ownIn(await answersTo(api, parentId), api, text) : null
  if (known !== null) return known
  const body = { snippet: { parentId, textOriginal: text } }
  return (await api.call('/comments?part=snippet', CommentShape, { method: 'POST', body })).id
}

async function moderate(api: Api, id: string, status: string): Promise<void> {
  const path = `/comments/setModerationStatus?id=${encodeURIComponent(id)}&moderationStatus=${status}`
  await api.call(path, Anything, { method: 'POST' })
}

async function remove(api: Api, id: string): Promise<void> {
  const path = `id=${encodeURIComponent(id)}`
  const { items } = await api.call(`/comments?part=snippet&${path}`, Comments)
  const [found] = items
  if (!found) return
  if (found.snippet.authorChannelId?.value !== api.channel) return moderate(api, id, 'rejected')
  await api.call(`/comments?${path}`, Anything, { method: 'DELETE' })
}
