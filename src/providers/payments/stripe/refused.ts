import type { DeclineCode } from '../../../format/declines.ts'
import { KeyRefusedError } from '../connector.ts'

/** The provider refused the request, so no money moves. The message is for the buyer or the merchant. */
export class RefusedError extends Error {
  override name = 'RefusedError'
  /** Stripe's id of the refused payment; null if there is none. */
  readonly reference: string | null

  readonly code: DeclineCode

  constructor(message: string, reference: string | null = null, code: DeclineCode = 'other') {
    super(message)
    this.reference = reference
    this.code = code
  }
}

/** Stripe does not know the id in a request. */
export class MissingError extends RefusedError {}

/** The outcome of a request is unknown, so the request has to be repeated. The message contains no secret. */
export class UnknownOutcomeError extends Error {
  override name = 'UnknownOutcomeError'
}

export class PermissionMissingError extends KeyRefusedError {
  /** The account of the key, if Stripe's message names it. */
  readonly account: string | null

  constructor(message: string, owner: KeyRefusedError['owner'], account: string | null) {
    super(message, { owner, reason: 'permission' })
    this.account = account
  }
}

/** Turns a missing permission into a refusal, because only this request fails and it can be repeated once the permission is granted. */
export async function orNotPermitted<Answer>(asked: Promise<Answer>): Promise<Answer> {
  try {
    return await asked
  } catch (error) {
    throw error instanceof PermissionMissingError && error.owner === 'account' ? new RefusedError(error.message) : error
  }
}
