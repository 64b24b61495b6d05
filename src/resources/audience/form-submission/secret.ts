import { inOnePiece } from '../../../contract/values/values.ts'
import type { Context } from '../../../records/context.ts'
import { idOfSecret, secretOf } from '../../sales/secret.ts'
import { FormSubmission } from './form-submission.ts'

/** Returns the secret URL with which the owner of the address confirms a submission. */
export function confirmationUrl(context: Pick<Context, 'publicUrl' | 'services'>, id: string): string {
  return inOnePiece(context.publicUrl, '/forms/confirm/', secretOf(context, FormSubmission, id))
}

/** Returns null if the secret is wrong. */
export function submissionIdOf(context: Pick<Context, 'services'>, secret: string): string | null {
  return idOfSecret(context, FormSubmission, secret)
}
