import type { DeclineCode } from '../../../words/declines.ts'

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

/** It is not known what came of a request, so it is to be sent again. Its message holds no secret. */
export class UnknownOutcomeError extends Error {
  override name = 'UnknownOutcomeError'
}
