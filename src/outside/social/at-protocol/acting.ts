import type {
  Access,
  CommentRequest,
  Connection,
  Login,
  Published,
  PublishRequest,
  Snapshot,
  SyncRequest,
} from '../provider.ts'
import { actOn } from './comment.ts'
import type { OAuthParts } from './oauth-client.ts'
import * as oauth from './oauth-session.ts'
import * as byPassword from './password-session.ts'
import { profileOf } from './profile.ts'
import { publishPost } from './publish.ts'
import type { Session } from './session.ts'
import { snapshotOf } from './snapshot.ts'

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
