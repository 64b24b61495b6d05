import { Agent } from '@atproto/api'
import type { NodeSavedSession, NodeSavedState, OAuthSession } from '@atproto/oauth-client-node'
import { z } from 'zod'
import { MOST_WORDS } from '../network.ts'
import { codeIn, renewalBefore } from '../oauth.ts'
import {
  type Access,
  type BeginRequest,
  type Credentials,
  callbackPath,
  type Finished,
  type FinishRequest,
  type Login,
  PlatformRefusedError,
} from '../provider.ts'
import { clientFor, type OAuthParts, SCOPES, SingleStore } from './oauth-client.ts'
import { profileOf, refusing, type Session } from './session.ts'

const MOST_CAUSES = 10

const NOT_FOUND = 'No server that lets people allow access was found for this handle. Check how it is written.'
const UNSAID = 'The server refused without a reason.'

const Shape = z.object({
  dpopJwk: z.looseObject({ kty: z.string() }),
  authMethod: z.looseObject({ method: z.string() }),
  tokenSet: z.looseObject({
    iss: z.string(),
    sub: z.string().startsWith('did:'),
    aud: z.string(),
    access_token: z.string(),
    refresh_token: z.string().optional(),
    expires_at: z.string().optional(),
  }),
})

/** The OAuth library's stored session of an account. */
const Saved = z.custom<NodeSavedSession>((given) => Shape.safeParse(given).success)

type SessionRequest = Pick<Login, 'platform' | 'publicUrl' | 'credentials'> & { signal: AbortSignal }

/** Returns whether access was granted with OAuth and not with an app password. */
export function isGranted({ session }: Credentials): boolean {
  return session !== undefined
}

function granted(saved: NodeSavedSession): Access {
  return { credentials: { did: saved.tokenSet.sub, session: JSON.stringify(saved) }, renewAt: renewAtOf(saved) }
}

/** Parses the stored session. Throws a PlatformRefusedError for credentials that this service did not create. */
export function savedOf({ session = '' }: Credentials): NodeSavedSession {
  try {
    return Saved.parse(JSON.parse(session))
  } catch {
    throw new PlatformRefusedError('the session is not one that this service has stored; allow access at connect_url')
  }
}

/** Returns the time at which to refresh access; null if access does not expire. */
export function renewAtOf({ tokenSet: { expires_at } }: NodeSavedSession, now = Date.now()): string | null {
  return expires_at === undefined ? null : renewalBefore(Date.parse(expires_at), now)
}

/** Opens a session with the stored access. It cannot refresh tokens: only `renewed` does, in one job at a time. */
export async function openSession(
  parts: OAuthParts,
  { credentials, signal, ...login }: SessionRequest,
): Promise<Session> {
  const saved = savedOf(credentials)
  const { refresh_token: _, expires_at, ...tokenSet } = saved.tokenSet
  const client = await clientFor(parts, { ...login, signal, session: new SingleStore({ ...saved, tokenSet }) })
  const session = await explained(() => client.restore(tokenSet.sub, false))
  const agent = new Agent({ did: session.did, fetchHandler: endingAt(session, expires_at) })
  const handle = await refusing(async () => {
    const { data } = await agent.com.atproto.server.getSession()
    return data.handle
  }, 'using the access')
  return { agent, did: session.did, handle }
}

/** Turns a refusal of expired access into an ordinary error, so that the job retries with refreshed access. */
function endingAt(session: OAuthSession, expiresAt: string | undefined): OAuthSession['fetchHandler'] {
  return async (path, init) => {
    const answer = await session.fetchHandler(path, init)
    if (answer.status === 401 && expiresAt !== undefined && Date.parse(expiresAt) <= Date.now())
      throw new Error('The access ended while it was used')
    return answer
  }
}

/** Refreshes access. The server accepts each refresh token once. */
export async function renewed(parts: OAuthParts, { credentials, ...asked }: SessionRequest): Promise<Access> {
  const session = new SingleStore(savedOf(credentials))
  const client = await clientFor(parts, { ...asked, session })
  await explained(() => client.restore(savedOf(credentials).tokenSet.sub, true))
  return granted(session.required())
}

/** Revokes the access, including its refresh token. */
export async function revoked(parts: OAuthParts, { credentials, ...asked }: SessionRequest): Promise<void> {
  const saved = savedOf(credentials)
  const client = await clientFor(parts, { ...asked, session: new SingleStore(saved) })
  await explained(async () => {
    const { server } = await client.restore(saved.tokenSet.sub, false)
    await server.request('revocation', { token: saved.tokenSet.refresh_token ?? saved.tokenSet.access_token })
  })
}

/**
 * Runs requests of the OAuth library. Converts final refusals of a server, and addresses that are not allowed, into
 * PlatformRefusedErrors. All other errors may be temporary.
 */
async function explained<Result>(work: () => Promise<Result>): Promise<Result> {
  const { OAuthResponseError, TokenRefreshError } = await import('@atproto/oauth-client-node')
  try {
    return await work()
  } catch (error) {
    const causes = causesOf(error)
    const known = causes.find((cause) => cause instanceof PlatformRefusedError)
    if (known) throw known
    const answer = causes.find((cause) => cause instanceof OAuthResponseError)
    if (answer && answer.status < 500 && answer.status !== 429)
      throw refusal(answer.errorDescription ?? answer.error ?? UNSAID)
    const ended = causes.find((cause) => cause instanceof TokenRefreshError)
    throw ended ? refusal(ended.message) : error
  }
}

/** Does the same as `explained` while a person waits, so that a server that cannot be found is a refusal as well. */
async function explainedNow<Result>(work: () => Promise<Result>): Promise<Result> {
  const { OAuthResolverError } = await import('@atproto/oauth-client-node')
  try {
    return await explained(work)
  } catch (error) {
    const isUnknown = causesOf(error).some((cause) => cause instanceof OAuthResolverError)
    throw isUnknown ? new PlatformRefusedError(NOT_FOUND) : error
  }
}

function refusal(words: string): PlatformRefusedError {
  return new PlatformRefusedError(words.slice(0, MOST_WORDS), { expired: true })
}

function causesOf(error: unknown): Error[] {
  const causes: Error[] = []
  for (let one = error; one instanceof Error && causes.length < MOST_CAUSES; one = one.cause) causes.push(one)
  return causes
}

/** The library's state while a person is on the server's page. It needs no check, because only the library writes it. */
const State = z.custom<NodeSavedState>()

/** Returns the URL to which the person is redirected, and the state to store until the person returns. */
export async function begin(parts: OAuthParts, request: BeginRequest): Promise<{ url: string; kept: Credentials }> {
  const { platform, signal, entered } = request
  const state = new SingleStore<NodeSavedState>()
  const client = await clientFor(parts, { publicUrl: publicUrlOf(request), platform, signal, state })
  // The library would generate a random `state`; ours identifies the person who returns.
  client.runtime.generateNonce = async () => request.state
  const url = await explainedNow(() => client.authorize(addressIn(entered.identifier ?? ''), { signal }))
  return { url: url.href, kept: { state: JSON.stringify(state.required()) } }
}

export async function finish(parts: OAuthParts, request: FinishRequest): Promise<Finished> {
  const { platform, signal, kept, query } = request
  const answered = codeIn(query)
  if ('declined' in answered) return answered
  const publicUrl = publicUrlOf(request)
  const state = new SingleStore(State.parse(JSON.parse(kept.state ?? '')))
  const session = new SingleStore<NodeSavedSession>()
  const client = await clientFor(parts, { publicUrl, platform, signal, state, session })
  await explainedNow(() => client.callback(new URLSearchParams(query)))
  const saved = session.required()
  const { credentials } = granted(saved)
  if (!isEnough(saved.tokenSet.scope)) {
    await revoked(parts, { publicUrl, platform, credentials, signal })
    throw new PlatformRefusedError(TOO_LITTLE)
  }
  const opened = await openSession(parts, { publicUrl, platform, credentials, signal })
  return { choices: [{ profile: await profileOf(opened), credentials }] }
}

/** Returns whether all needed permissions were granted; older servers grant only the permissions that they know. */
function isEnough(scope: string): boolean {
  const given = scope.split(' ')
  return SCOPES.every((one) => given.includes(one))
}

const TOO_LITTLE = 'The server of the account does not grant what is needed. Use an app password instead.'

/** Normalizes a handle or the URL of a server. */
function addressIn(entered: string): string {
  const address = entered.trim()
  if (!/^https?:/.test(address)) return address.replace(/^@/, '').toLowerCase()
  if (URL.canParse(address)) return new URL(address).origin
  throw new PlatformRefusedError('The server is not an address such as https://pds.example.')
}

function publicUrlOf({ returnUrl, platform }: Pick<BeginRequest, 'returnUrl' | 'platform'>): string {
  return returnUrl.slice(0, -callbackPath(platform).length)
}
