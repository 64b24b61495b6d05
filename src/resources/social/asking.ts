import {
  OutcomeUnknownError,
  PlatformBusyError,
  PlatformRefusedError,
  VersionEndedError,
} from '../../outside/social/provider.ts'
import { AskAgainError, type JobPlace } from '../../records/job.ts'
import { noteVersionEnded } from './social_account/version_ended.ts'

/** With pauses that double up to an hour, about half a day. */
export const MOST_ATTEMPTS = 20
const GIVEN_UP = 'The platform could not be reached for 12 hours.'

export interface Refused {
  refused: string
  /** The platform no longer accepts the access that was given. */
  expired: boolean
  /** The platform itself said so, and has done nothing. Otherwise what was asked may have been done. */
  answered: boolean
  /** Nobody can find out whether it was done: a person looks, and asks again. */
  unknown?: boolean
}

/** Access could not be renewed, so that what was to be asked was not asked. */
export class NotRenewedError extends Error {
  override name = 'NotRenewedError'
}

/** A refusal of our own, before or without an answer of the platform. */
export function unanswered(refused: string): Refused {
  return { refused, expired: false, answered: false }
}

export type Outcome<Answer> = { answer: Answer } | Refused

/**
 * Asks a platform within a job, for one social account. Rejects when another attempt may do better, also when the platform limits the rate; after the
 * last attempt, the platform counts as having refused.
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
