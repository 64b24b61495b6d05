import {
  OutcomeUnknownError,
  PlatformBusyError,
  PlatformRefusedError,
  VersionEndedError,
} from '../../providers/social/provider.ts'
import { AskAgainError, type JobPlace } from '../../records/job.ts'
import { noteVersionEnded } from './social-account/version-ended.ts'

/** About half a day, with pauses that double up to an hour. */
export const MOST_ATTEMPTS = 20
const GIVEN_UP = 'The platform could not be reached for 12 hours.'

export interface Refused {
  refused: string
  /** Whether the platform no longer accepts the account's access. */
  expired: boolean
  /** Whether the platform itself refused, and so has done nothing. Otherwise the request may have been carried out. */
  answered: boolean
  /** Whether only a person can find out if the request was carried out, and then retry. */
  unknown?: boolean
}

/** The access could not be renewed, so the request was not sent. */
export class NotRenewedError extends Error {
  override name = 'NotRenewedError'
}

/** Returns a refusal of our own, before or without a response from the platform. */
export function unanswered(refused: string): Refused {
  return { refused, expired: false, answered: false }
}

export type Outcome<Answer> = { answer: Answer } | Refused

/**
 * Sends a request for a social account to its platform, in a job. Rejects when a retry may help, including rate limits. After the last
 * attempt it counts as refused.
 */
export async function ask<Answer>(
  place: JobPlace,
  account: string,
  request: () => Promise<Answer>,
): Promise<Outcome<Answer>> {
  const { attempt } = place
  if (attempt > MOST_ATTEMPTS) return unanswered(GIVEN_UP)
  try {
    return { answer: await request() }
  } catch (error) {
    if (error instanceof OutcomeUnknownError) return { ...unanswered(error.message), unknown: true }
    if (error instanceof PlatformRefusedError) return refusalOf(error)
    if (error instanceof NotRenewedError) return { ...unanswered(error.message), expired: true }
    if (error instanceof VersionEndedError) {
      await noteVersionEnded(place, account, error)
      throw new AskAgainError(error.message, error.until, { withoutLimit: true })
    }
    if (error instanceof PlatformBusyError && attempt < MOST_ATTEMPTS)
      throw new AskAgainError(error.message, error.until)
    if (attempt < MOST_ATTEMPTS) throw error
    return unanswered(GIVEN_UP)
  }
}

function refusalOf({ message, expired }: PlatformRefusedError): Refused {
  return { refused: message, expired, answered: true }
}
