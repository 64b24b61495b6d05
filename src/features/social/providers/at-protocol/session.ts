import { type Agent, XRPCError } from '@atproto/api'
import { busyUntil, MOST_WORDS } from '../network.ts'
import { PlatformBusyError, PlatformRefusedError, type Profile } from '../provider.ts'

/** The network's error codes for access that has ended. */
const ENDED = [
  'ExpiredToken',
  'InvalidToken',
  'AuthenticationRequired',
  'AccountTakedown',
  'AccountDeactivated',
  'AuthMissing',
]

/** The signed-in account, for one job. */
export interface Session {
  agent: Agent
  did: string
  handle: string
}

/** Runs a request and converts final refusals into PlatformRefusedErrors with the network's message. All other errors may be temporary. */
export async function refusing<Result>(work: () => Promise<Result>, doing: string): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof XRPCError)) throw error
    // The guarded client refused the server's address.
    if (error.cause instanceof PlatformRefusedError) throw error.cause
    const { error: code, message } = error
    const status: number = error.status
    const until = busyUntil(status, headersOf(error))
    if (until !== null) throw new PlatformBusyError(`${doing} was put off: ${message.slice(0, MOST_WORDS)}`, until)
    if (status >= 400 && status < 500 && status !== 408) {
      const words = `${doing} was refused: ${message.slice(0, MOST_WORDS)}`
      throw new PlatformRefusedError(words, { expired: status === 401 || ENDED.includes(code) })
    }
    throw error
  }
}

function headersOf({ headers = {} }: XRPCError): Headers {
  return new Headers(Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}

/** Reads the profile through the account's own server. Without a response, the name, picture and number of followers are null. */
export async function profileOf(session: Session): Promise<Profile> {
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
