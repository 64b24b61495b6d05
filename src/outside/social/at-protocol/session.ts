import { type Agent, XRPCError } from '@atproto/api'
import { busyUntil } from '../json-api.ts'
import { PlatformBusyError, PlatformRefusedError } from '../provider.ts'

const MOST_WORDS = 300
/** What the network calls access that has ended. */
const ENDED = [
  'ExpiredToken',
  'InvalidToken',
  'AuthenticationRequired',
  'AccountTakedown',
  'AccountDeactivated',
  'AuthMissing',
]

/** Who is signed in, for one job. */
export interface Session {
  agent: Agent
  did: string
  handle: string
}

/** Runs requests, and turns what the network refuses for good into its own words. All else may do better later. */
export async function refusing<Result>(work: () => Promise<Result>, doing: string): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof XRPCError)) throw error
    // Of our own: the address is none to go to.
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
