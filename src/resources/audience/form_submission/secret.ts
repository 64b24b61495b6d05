import { inOnePiece } from '../../../contract/values/values.ts'
import type { Context } from '../../../records/context.ts'
import { idOfSecret, secretOf } from '../../sales/secret.ts'
import { FormSubmission } from './form_submission.ts'

/** The page on which the owner of the e-mail address confirms a submission. Its address is a capability. */
export function confirmationUrl(context: Pick<Context, 'publicUrl' | 'services'>, id: string): string {
  return inOnePiece(context.publicUrl, '/forms/confirm/', secretOf(context, FormSubmission, id))
}

/** The id of the submission that a secret confirms, or null when it is not the right one. */
export function submissionIdOf(context: Pick<Context, 'services'>, secret: string): string | null {
  return idOfSecret(context, FormSubmission, secret)
}
