import { AppBskyFeedPost } from '@atproto/api'
import { type CommentRequest, PlatformRefusedError } from '../provider.ts'
import { changeGate } from './gate.ts'
import { type Place, placeOf } from './place.ts'
import { type Reference, reply } from './publish.ts'
import { recordKey } from './record-key.ts'
import { refusing, type Session } from './session.ts'

const LIKES = 'app.bsky.feed.like'

/** Does something with a comment; the address of a new reply. */
export async function actOn(session: Session, request: CommentRequest): Promise<{ id: string | null }> {
  const { comment, content, key } = request
  switch (request.action) {
    case 'reply':
      return { id: await answer(session, { comment, content: content ?? '', key }) }
    case 'like':
      await like(session, comment)
      break
    case 'unlike':
      await unlike(session, comment)
      break
    case 'delete':
      await remove(session, comment)
      break
    default:
      await setHidden(session, comment, request.action === 'hide')
  }
  return { id: null }
}

async function answer(session: Session, { comment, content, key }: { comment: string; content: string; key: string }) {
  const { root, ...parent } = await referenceOf(session, comment)
  const { uri } = await reply(session, { key, text: content, root: root ?? parent, parent })
  return uri
}

async function like(session: Session, comment: string): Promise<void> {
  const { uri, cid } = await referenceOf(session, comment)
  const record = { $type: LIKES, subject: { uri, cid }, createdAt: new Date().toISOString() }
  const place = likeOf(session, comment)
  await refusing(() => session.agent.com.atproto.repo.putRecord({ ...place, record }), 'the like')
}

async function unlike(session: Session, comment: string): Promise<void> {
  const place = likeOf(session, comment)
  await refusing(() => session.agent.com.atproto.repo.deleteRecord(place), 'removing the like')
}

function likeOf({ did: repo }: Session, comment: string): Place {
  return { repo, collection: LIKES, rkey: recordKey(`${repo} like ${comment}`) }
}

/** Only its author can delete a record. */
async function remove(session: Session, comment: string): Promise<void> {
  const place = placeOf(comment)
  if (place.repo !== session.did) throw new PlatformRefusedError('only the author of a reply can delete it')
  await refusing(() => session.agent.com.atproto.repo.deleteRecord(place), 'deleting the reply')
}

/** Hides a reply from everyone, or shows it again. Only the author of the first post of a conversation can. */
async function setHidden(session: Session, comment: string, hidden: boolean): Promise<void> {
  const { root } = await referenceOf(session, comment)
  if (!root || placeOf(root.uri).repo !== session.did)
    throw new PlatformRefusedError('only replies in conversations that the account began can be hidden')
  await changeGate(session, root.uri, (known) => {
    if (known.includes(comment) === hidden) return known
    return hidden ? [...known, comment] : known.filter((uri) => uri !== comment)
  })
}

async function referenceOf({ agent }: Session, uri: string): Promise<Reference & { root: Reference | undefined }> {
  const { data } = await refusing(() => agent.com.atproto.repo.getRecord(placeOf(uri)), 'the comment')
  const post = AppBskyFeedPost.validateRecord(data.value)
  return { uri: data.uri, cid: data.cid ?? '', root: post.success ? post.value.reply?.root : undefined }
}
