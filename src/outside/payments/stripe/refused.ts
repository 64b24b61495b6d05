import type { DeclineCode } from '../../../words/declines.ts'
import { KeyRefusedError } from '../connector.ts'

/** The provider refused: no money moved, and none will. Its message is for the buyer or the merchant. */
export class RefusedError extends Error {
  override name = 'RefusedError'
  /** Stripe's id of the payment that was refused, where there is one. */
  readonly reference: string | null

  readonly code: DeclineCode

  constructor(message: string, reference: string | null = null, code: DeclineCode = 'other') {
    super(message)
    this.reference = reference
    this.code = code
  }
}

/** Stripe has nothing by an id that a request names. */
export class MissingError extends RefusedError {}

/** It is not known what came of a request, so it is to be sent again. Its message holds no secret. */
export class UnknownOutcomeError extends Error {
  override name = 'UnknownOutcomeError'
}

/** A restricted key lacks a permission. */
export class PermissionMissingError extends KeyRefusedError {
  /** Stripe's id of the account whose key it is, where its message names it. */
  readonly account: string | null

  constructor(message: string, owner: KeyRefusedError['owner'], account: string | null) {
    super(message, { owner, reason: 'permission' })
    this.account = account
  }
}

/**
 * Refuses a request that the account's key may not make: other requests still work, so it fails by itself, and can be made again once
 * the permission was added.
 */
export async function orNotPermitted<Answer>(asked: Promise<Answer>): Promise<Answer> {
  try {
    return await asked
  } catch (error) {
    throw error instanceof PermissionMissingError && error.owner === 'account' ? new RefusedError(error.message) : error
  }
}
