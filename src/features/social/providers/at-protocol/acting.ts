import {
  AppBskyFeedDefs,
  AppBskyFeedGetPostThread,
  AppBskyFeedPost,
  AppBskyFeedThreadgate,
  ComAtprotoRepoPutRecord,
} from '@atproto/api'
import { newestFirst, orElse } from '../network.ts'
import {
  type Access,
  type CommentRequest,
  type Connection,
  type KnownPost,
  type Login,
  PlatformRefusedError,
  type PostTotals,
  type Profile,
  type Published,
  type PublishRequest,
  type ReceivedComment,
  type Snapshot,
  type SyncRequest,
} from '../provider.ts'
import type { OAuthParts } from './oauth-client.ts'
import * as oauth from './oauth-session.ts'
import * as byPassword from './password-session.ts'
import { isNoRecord, publishPost, type Reference, recordKey, reply } from './publish.ts'
import { profileOf, refusing, type Session } from './session.ts'

const POSTS_PER_REQUEST = 25
/** The number of newest posts whose replies are read. */
const POSTS_PER_SYNC = 10
const DEPTH = 6

export async function connect(parts: OAuthParts, login: Login, signal: AbortSignal): Promise<Connection> {
  const access = await accessOf(parts, login, signal)
  const session = await sessionOf(parts, { ...login, ...access }, signal)
  return { profile: await profileOf(session), ...access }
}

async function accessOf({ web }: OAuthParts, { credentials }: Login, signal: AbortSignal): Promise<Access> {
  if (!oauth.isGranted(credentials)) return byPassword.signIn(web, { credentials, signal })
  return { credentials, renewAt: oauth.renewAtOf(oauth.savedOf(credentials)) }
}

export function renewed(parts: OAuthParts, login: Login, signal: AbortSignal): Promise<Access> {
  if (oauth.isGranted(login.credentials)) return oauth.renewed(parts, { ...login, signal })
  return byPassword.renewed(parts.web, { ...login, signal })
}

export async function endAccess(parts: OAuthParts, login: Login, signal: AbortSignal): Promise<void> {
  if (oauth.isGranted(login.credentials)) await oauth.revoked(parts, { ...login, signal })
  else await byPassword.ended(parts.web, { ...login, signal })
}

export async function publish(parts: OAuthParts, request: PublishRequest): Promise<Published> {
  return publishPost(await sessionOf(parts, request.login, request.signal), request, parts.web)
}

export async function sync(parts: OAuthParts, request: SyncRequest): Promise<Snapshot> {
  const session = await sessionOf(parts, request.login, request.signal)
  return snapshotOf(session, await profileOf(session), request)
}

export async function comment(parts: OAuthParts, request: CommentRequest): ReturnType<typeof actOn> {
  return actOn(await sessionOf(parts, request.login, request.signal), request)
}

async function sessionOf(parts: OAuthParts, login: Login, signal: AbortSignal): Promise<Session> {
  if (oauth.isGranted(login.credentials)) return oauth.openSession(parts, { ...login, signal })
  return byPassword.openSession(parts.web, { ...login, signal })
}

/** Reads figures from the network's app view: totals of posts, but no daily figures, impressions, reach, clicks or saves. */
async function snapshotOf(session: Session, profile: Profile, request: SyncRequest): Promise<Snapshot> {
  const posts = request.posts.filter(({ id }) => id.startsWith('at://'))
  const totals: PostTotals[] = []
  for (let place = 0; place < posts.length; place += POSTS_PER_REQUEST)
    totals.push(...(await totalsOf(session, posts.slice(place, place + POSTS_PER_REQUEST))))
  const newest = newestFirst(posts).slice(0, POSTS_PER_SYNC)
  const comments: ReceivedComment[] = []
  for (const { id } of newest) comments.push(...(await repliesTo(session, id)))
  return { profile, comments, days: [], totals }
}

async function totalsOf({ agent }: Session, posts: KnownPost[]): Promise<PostTotals[]> {
  const uris = posts.map(({ id }) => id)
  const { data } = await refusing(() => agent.app.bsky.feed.getPosts({ uris }), 'reading the figures')
  return data.posts.map(({ uri, likeCount = 0, replyCount = 0, repostCount = 0, quoteCount = 0 }) => ({
    post: uri,
    figures: { likes: likeCount, comments: replyCount, shares: repostCount + quoteCount },
  }))
}

/** Returns the replies to a post; none if the post was deleted on the network. */
async function repliesTo(session: Session, uri: string): Promise<ReceivedComment[]> {
  const thread = await threadOf(session, uri)
  const found: ReceivedComment[] = []
  const read = (thread: AppBskyFeedDefs.ThreadViewPost | { $type: string }, parent: string | null) => {
    if (!AppBskyFeedDefs.isThreadViewPost(thread)) return
    const { post, replies = [] } = thread
    if (post.uri !== uri) {
      const own = post.author.did === session.did
      found.push({ ...commentOf(post, uri, parent === uri ? null : parent), own })
    }
    for (const one of replies) read(one, post.uri)
  }
  if (thread) read(thread, null)
  return found
}

async function threadOf({ agent }: Session, uri: string) {
  const given = { uri, depth: DEPTH, parentHeight: 0 }
  const isGone = (error: unknown) => error instanceof AppBskyFeedGetPostThread.NotFoundError
  const ask = () => orElse(agent.app.bsky.feed.getPostThread(given), null, isGone)
  return (await refusing(ask, 'reading the comments'))?.data.thread ?? null
}

function commentOf(
  { uri, author, record, likeCount = 0 }: AppBskyFeedDefs.PostView,
  post: string,
  parent: string | null,
): ReceivedComment {
  const written = AppBskyFeedPost.validateRecord(record)
  return {
    ...{ id: uri, post, parent, likesCount: likeCount },
    authorName: author.displayName || author.handle,
    authorUsername: author.handle,
    content: written.success ? written.value.text : '',
  }
}

interface RecordPath {
  repo: string
  collection: string
  rkey: string
}

/** The collection of records with the reply rules of posts. Such a record has the same key as its post. */
const GATES = 'app.bsky.feed.threadgate'
/** The maximum number of hidden replies (lexicon app.bsky.feed.threadgate). */
const MOST_HIDDEN = 300
/** The number of attempts at a change that may conflict with concurrent ones. */
const TRIES = 3

interface Gate {
  record: Partial<AppBskyFeedThreadgate.Record>
  cid: string | null
}

const LIKES = 'app.bsky.feed.like'

/** Carries out an action on a comment and returns the URI of a new reply. */
async function actOn(session: Session, request: CommentRequest): Promise<{ id: string | null }> {
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

function likeOf({ did: repo }: Session, comment: string): RecordPath {
  return { repo, collection: LIKES, rkey: recordKey(`${repo} like ${comment}`) }
}

/** Deletes a reply, which only its author can do. */
async function remove(session: Session, comment: string): Promise<void> {
  const place = recordPathOf(comment)
  if (place.repo !== session.did) throw new PlatformRefusedError('only the author of a reply can delete it')
  await refusing(() => session.agent.com.atproto.repo.deleteRecord(place), 'deleting the reply')
}

/** Hides a reply from everyone, or shows it again. Only the author of a conversation's first post can do so. */
async function setHidden(session: Session, comment: string, hidden: boolean): Promise<void> {
  const { root } = await referenceOf(session, comment)
  if (!root || recordPathOf(root.uri).repo !== session.did)
    throw new PlatformRefusedError('only replies in conversations that the account began can be hidden')
  await changeGate(session, root.uri, (known) => {
    if (known.includes(comment) === hidden) return known
    return hidden ? [...known, comment] : known.filter((uri) => uri !== comment)
  })
}

async function referenceOf({ agent }: Session, uri: string): Promise<Reference & { root: Reference | undefined }> {
  const { data } = await refusing(() => agent.com.atproto.repo.getRecord(recordPathOf(uri)), 'the comment')
  const post = AppBskyFeedPost.validateRecord(data.value)
  return { uri: data.uri, cid: data.cid ?? '', root: post.success ? post.value.reply?.root : undefined }
}

/** Changes which replies to a post are hidden, without changing who may reply. */
async function changeGate(session: Session, post: string, change: (hidden: string[]) => string[]): Promise<void> {
  for (let rest = TRIES - 1; ; rest--) {
    const gate = await gateOf(session, post)
    const known = gate.record.hiddenReplies ?? []
    const hiddenReplies = change(known)
    if (hiddenReplies === known) return
    if (hiddenReplies.length > MOST_HIDDEN)
      throw new PlatformRefusedError(`a conversation can have ${MOST_HIDDEN} hidden replies at most`)
    if (await storeGate(session, post, { ...gate, record: { ...gate.record, hiddenReplies } })) return
    if (rest === 0) throw new Error('The hidden replies of a post were changed by others at the same time')
  }
}

async function gateOf({ agent, did: repo }: Session, post: string): Promise<Gate> {
  const asked = agent.com.atproto.repo.getRecord({ ...recordPathOf(post), repo, collection: GATES })
  const found = await orElse(asked, null, isNoRecord)
  const known = AppBskyFeedThreadgate.validateRecord(found?.data.value)
  return { record: known.success ? known.value : {}, cid: found?.data.cid ?? null }
}

/** Stores the record of hidden replies; returns false if another request changed it after it was read. */
function storeGate({ agent, did: repo }: Session, post: string, { record, cid }: Gate): Promise<boolean> {
  const { rkey } = recordPathOf(post)
  const whole = { createdAt: new Date().toISOString(), ...record, $type: GATES, post }
  const put = () => agent.com.atproto.repo.putRecord({ repo, collection: GATES, rkey, record: whole, swapRecord: cid })
  const isSwapped = (error: unknown) => error instanceof ComAtprotoRepoPutRecord.InvalidSwapError
  return refusing(
    () =>
      orElse(
        put().then(() => true),
        false,
        isSwapped,
      ),
    'hiding the reply',
  )
}

/** Parses a URI such as `at://did:plc:…/app.bsky.feed.post/3k…`. */
function recordPathOf(uri: string): RecordPath {
  const [, , repo = '', collection = '', rkey = ''] = uri.split('/')
  return { repo, collection, rkey }
}
