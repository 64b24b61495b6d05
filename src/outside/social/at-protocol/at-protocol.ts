import { AppBskyFeedPost } from '@atproto/api'
import type { WebClient } from '../../web/client.ts'
import { type CommentRequest, type Connection, PlatformRefusedError, type SocialProvider } from '../provider.ts'
import { publishPost, reply } from './publish.ts'
import { recordKey } from './record-key.ts'
import { refusing, type Session, signIn } from './session.ts'
import { snapshotOf } from './snapshot.ts'

/** Bluesky, and every server of the AT Protocol, with app passwords. Each job signs in for itself. */
export function atProtocolProvider(web: WebClient): SocialProvider {
  return {
    name: 'at-protocol',
    platforms: ['bluesky'],
    simulation: null,
    entry: [
      { name: 'identifier', label: 'Handle', secret: false, hint: 'Such as kestrel.bsky.social' },
      {
        name: 'password',
        label: 'App password',
        secret: true,
        hint: 'Made in Bluesky under Settings, Privacy and security, App passwords',
      },
      {
        name: 'service',
        label: 'Server',
        secret: false,
        optional: true,
        hint: 'Only if the account is not on bsky.social',
      },
    ],
    async connect({ login, signal }) {
      const session = await signIn(web, login.credentials, signal)
      const profile = await profileOf(session)
      return { profile, credentials: login.credentials }
    },
    async publish(request) {
      return publishPost(await signIn(web, request.login.credentials, request.signal), request, web)
    },
    async sync(request) {
      const session = await signIn(web, request.login.credentials, request.signal)
      return snapshotOf(session, await profileOf(session), request)
    },
    async comment(request) {
      return act(await signIn(web, request.login.credentials, request.signal), request)
    },
  }
}

/** From the account's own server; figures that only an app view has are null where none answers. */
async function profileOf(session: Session): Promise<Connection['profile']> {
  const { agent, did, handle } = session
  const seen = await agent.getProfile({ actor: did }).catch(() => null)
  return {
    username: handle,
    displayName: seen?.data.displayName || null,
    profileUrl: `https://bsky.app/profile/${handle}`,
    avatarUrl: seen?.data.avatar ?? null,
    followersCount: seen?.data.followersCount ?? null,
  }
}

const LIKES = 'app.bsky.feed.like'

async function act(
  session: Session,
  { action, comment, content, key }: CommentRequest,
): Promise<{ id: string | null }> {
  const { agent, did: repo } = session
  if (action === 'hide' || action === 'unhide') throw new PlatformRefusedError('Bluesky cannot hide comments of others')
  const rkey = recordKey(`${did(session)} like ${comment}`)
  if (action === 'unlike') {
    await refusing(() => agent.com.atproto.repo.deleteRecord({ repo, collection: LIKES, rkey }), 'taking back the like')
    return { id: null }
  }
  if (action === 'delete') {
    await refusing(() => agent.deletePost(comment), 'deleting the reply')
    return { id: null }
  }
  const subject = await referenceOf(session, comment)
  if (action === 'like') {
    const record = {
      $type: LIKES,
      subject: { uri: subject.uri, cid: subject.cid },
      createdAt: new Date().toISOString(),
    }
    await refusing(() => agent.com.atproto.repo.putRecord({ repo, collection: LIKES, rkey, record }), 'the like')
    return { id: null }
  }
  const parent = { uri: subject.uri, cid: subject.cid }
  const made = await reply(session, { key, text: content ?? '', root: subject.root ?? parent, parent })
  return { id: made.uri }
}

function did(session: Session): string {
  return session.did
}

async function referenceOf({ agent }: Session, uri: string) {
  const [, , repo = '', collection = '', rkey = ''] = uri.split('/')
  const { data } = await refusing(() => agent.com.atproto.repo.getRecord({ repo, collection, rkey }), 'the comment')
  const post = AppBskyFeedPost.validateRecord(data.value)
  return { uri: data.uri, cid: data.cid ?? '', root: post.success ? post.value.reply?.root : undefined }
}
