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
import { clientFor, type OAuthParts, Single } from './oauth-client.ts'
import { explainedNow, granted, openSession, revoked } from './oauth-session.ts'
import { profileOf } from './profile.ts'

/** What the library keeps while a person is away; nobody else has written it. */
const State = z.custom<NodeSavedState>()

/** Where to send the person, and what is kept until they come back. */
export async function begin(parts: OAuthParts, request: BeginRequest): Promise<{ url: string; kept: Credentials }> {
  const { platform, signal, entered } = request
  const state = new Single<NodeSavedState>()
  const client = await clientFor(parts, { publicUrl: publicUrlOf(request), platform, signal, state })
  // The library would make one up, and ours names the person who sets out.
  client.runtime.generateNonce = async () => request.state
  const url = await explainedNow(() => client.authorize(addressIn(entered.identifier ?? ''), { signal }))
  return { url: url.href, kept: { state: JSON.stringify(state.required()) } }
}

export async function finish(parts: OAuthParts, request: FinishRequest): Promise<Finished> {
  const { platform, signal, kept, query } = request
  const answered = codeIn(query)
  if ('declined' in answered) return answered
  const publicUrl = publicUrlOf(request)
  const state = new Single(State.parse(JSON.parse(kept.state ?? '')))
  const session = new Single<NodeSavedSession>()
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

/** Older servers do not know what they are asked for. */
function isEnough(scope: string): boolean {
  const given = scope.split(' ')
  return SCOPES.every((one) => given.includes(one))
}

const TOO_LITTLE = 'The server of the account does not grant what is needed. Use an app password instead.'

/** A handle, or the address of a server. */
function addressIn(entered: string): string {
  const address = entered.trim()
  if (!/^https?:/.test(address)) return address.replace(/^@/, '').toLowerCase()
  if (URL.canParse(address)) return new URL(address).origin
  throw new PlatformRefusedError('The server is not an address such as https://pds.example.')
}

function publicUrlOf({ returnUrl, platform }: Pick<BeginRequest, 'returnUrl' | 'platform'>): string {
  return returnUrl.slice(0, -callbackPath(platform).length)
}
