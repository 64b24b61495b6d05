import type { WebClient } from '../../web/client.ts'
import type { Connection, SocialProvider } from '../provider.ts'
import { actOn } from './comment.ts'
import { publishPost } from './publish.ts'
import { type Session, signIn } from './session.ts'
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
      return actOn(await signIn(web, request.login.credentials, request.signal), request)
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
