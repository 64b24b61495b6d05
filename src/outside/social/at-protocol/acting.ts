import type {
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
import { isGranted, openSession, renewAtOf, revoked, savedOf } from './oauth-session.ts'
import { profileOf } from './profile.ts'
import { publishPost } from './publish.ts'
import { type Session, signIn } from './session.ts'
import { snapshotOf } from './snapshot.ts'

export { renewed } from './oauth-session.ts'

export async function connect(parts: OAuthParts, login: Login, signal: AbortSignal): Promise<Connection> {
  const session = await sessionOf(parts, login, signal)
  const { credentials } = login
  const renewAt = isGranted(credentials) ? renewAtOf(savedOf(credentials)) : null
  return { profile: await profileOf(session), credentials, renewAt }
}

/** An app password belongs to its owner, and only they can end it. */
export async function endAccess(parts: OAuthParts, login: Login, signal: AbortSignal): Promise<void> {
  if (isGranted(login.credentials)) await revoked(parts, { ...login, signal })
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

function sessionOf(parts: OAuthParts, login: Login, signal: AbortSignal): Promise<Session> {
  if (isGranted(login.credentials)) return openSession(parts, { ...login, signal })
  return signIn(parts.web, login.credentials, signal)
}
