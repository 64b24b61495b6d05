import type { NetworkParts } from '../network.ts'
import type { Login, SocialProvider } from '../provider.ts'
import { atProtocolAuthorization } from './authorization.ts'
import { clientKey } from './client-document.ts'
import { actOn } from './comment.ts'
import { newRecent, type OAuthParts } from './oauth-client.ts'
import { isGranted, openSession, renewAtOf, renewed, revoked, savedOf } from './oauth-session.ts'
import { profileOf } from './profile.ts'
import { publishPost } from './publish.ts'
import { type Session, signIn } from './session.ts'
import { snapshotOf } from './snapshot.ts'

type Parts = Pick<NetworkParts, 'web' | 'domains' | 'secretOf' | 'settings'>

const DIRECTORY = 'https://plc.directory'

/**
 * Bluesky, and every server of the AT Protocol: on the server's own page, or by an app password, with which each job signs in
 * for itself.
 */
export function atProtocolProvider({ web, domains, secretOf, settings }: Parts): SocialProvider {
  const key = clientKey(secretOf('at-protocol client'))
  const parts = { web, domains, key, directory: settings.PLC_DIRECTORY_URL ?? DIRECTORY, recent: newRecent() }
  return {
    name: 'at-protocol',
    platforms: ['bluesky'],
    simulation: null,
    authorization: atProtocolAuthorization(parts),
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
      const session = await sessionOf(parts, login, signal)
      const { credentials } = login
      const renewAt = isGranted(credentials) ? renewAtOf(savedOf(credentials)) : null
      return { profile: await profileOf(session), credentials, renewAt }
    },
    renew: ({ login, signal }) => renewed(parts, { ...login, signal }),
    /** An app password belongs to its owner, and only they can end it. */
    async revoke({ login, signal }) {
      if (isGranted(login.credentials)) await revoked(parts, { ...login, signal })
    },
    async publish(request) {
      return publishPost(await sessionOf(parts, request.login, request.signal), request, web)
    },
    async sync(request) {
      const session = await sessionOf(parts, request.login, request.signal)
      return snapshotOf(session, await profileOf(session), request)
    },
    async comment(request) {
      return actOn(await sessionOf(parts, request.login, request.signal), request)
    },
  }
}

function sessionOf(parts: OAuthParts, login: Login, signal: AbortSignal): Promise<Session> {
  if (isGranted(login.credentials)) return openSession(parts, { ...login, signal })
  return signIn(parts.web, login.credentials, signal)
}
