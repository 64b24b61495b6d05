import type { NodeSavedSession, NodeSavedState } from '@atproto/oauth-client-node'
import { z } from 'zod'
import { codeIn } from '../oauth.ts'
import {
  type BeginRequest,
  type Credentials,
  callbackPath,
  type Finished,
  type FinishRequest,
  PlatformRefusedError,
} from '../provider.ts'
import { SCOPES } from './client-document.ts'
import { clientFor, type OAuthParts, SingleStore } from './oauth-client.ts'
import { explainedNow, granted, openSession, revoked } from './oauth-session.ts'
import { profileOf } from './profile.ts'

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
