import { AskAgainError, type JobContext } from '../../../records/job.ts'
import {
  OutcomeUnknownError,
  PlatformBusyError,
  PlatformRefusedError,
  VersionEndedError,
} from '../providers/provider.ts'
import { noteVersionEnded } from './social-account/version-ended.ts'

/** The maximum number of attempts. They take about half a day, with pauses that double up to an hour. */
export const MOST_ATTEMPTS = 20
const GIVEN_UP = 'The platform could not be reached for 12 hours.'

export interface Refused {
  refused: string
  /** Whether the platform no longer accepts the credentials of the account. */
  expired: boolean
  /** Whether the platform responded with a refusal and therefore did nothing. If false, it may have carried out the request. */
  answered: boolean
  /** Whether a person must check on the platform whether the request was carried out, before it is retried. */
  unknown?: boolean
}

/** The error for a request that was not sent because the account's access could not be renewed. */
export class NotRenewedError extends Error {}

/** Returns a refusal by this service, which has no response from the platform. */
export function unanswered(refused: string): Refused {
  return { refused, expired: false, answered: false }
}

export type Outcome<Answer> = { answer: Answer } | Refused

/**
 * Sends a request for a social account to its platform within a job. Rejects when a retry may help, for example after a rate limit. After
 * the last attempt, the request counts as refused.
 */
export async function ask<Answer>(
  job: JobContext,
  account: string,
  request: () => Promise<Answer>,
): Promise<Outcome<Answer>> {
  const { attempt } = job
  if (attempt > MOST_ATTEMPTS) return unanswered(GIVEN_UP)
  try {
    return { answer: await request() }
  } catch (error) {
    if (error instanceof OutcomeUnknownError) return { ...unanswered(error.message), unknown: true }
    if (error instanceof PlatformRefusedError) return { refused: error.message, expired: error.expired, answered: true }
    if (error instanceof NotRenewedError) return { ...unanswered(error.message), expired: true }
    if (error instanceof VersionEndedError) {
      await noteVersionEnded(job, account, error)
      throw new AskAgainError(error.message, error.until, { withoutLimit: true })
    }
    if (error instanceof PlatformBusyError && attempt < MOST_ATTEMPTS)
      throw new AskAgainError(error.message, error.until)
    if (attempt < MOST_ATTEMPTS) throw error
    return unanswered(GIVEN_UP)
  }
}
