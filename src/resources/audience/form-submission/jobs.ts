import { inOnePiece } from '../../../contract/values/values.ts'
import type { Context, VaultContext } from '../../../records/context.ts'
import { dueJob } from '../../../records/job.ts'
import { findRow, requireRow } from '../../../records/records.ts'
import { queueConfirmation, queueSubmissionNotice } from '../../messages/email/service-mail.ts'
import { idOfSecret, secretOf } from '../../sales/secret.ts'
import { Form, type FormRow } from '../form/form.ts'
import { askFor, consentOf } from '../notification-address/ask.ts'
import { type Answer, FormSubmission, type FormSubmissionRow } from './form-submission.ts'

interface SubmissionPayload {
  submission: string
}

/** Mails the link with which the owner of the address confirms a submission. */
export async function mailConfirmation(
  context: Context,
  { name }: FormRow,
  { id, email, respondent }: FormSubmissionRow,
): Promise<void> {
  if (email === null) return
  const data = { form: name, confirmUrl: confirmationUrl(context, id) }
  await queueConfirmation(context, { to: email, customer: respondent }, data)
}

/** Only earlier versions enqueued this job. */
export const askToConfirm = dueJob('form_submission.ask_to_confirm', {
  emits: ['email.created'],
  async work(context: Context, { submission: id }: SubmissionPayload) {
    const submission = await findRow(context, FormSubmission, id)
    if (!submission || submission.confirmed) return
    await mailConfirmation(context, await requireRow(context, Form, submission.form), submission)
  },
})

/** Mails a submission to the addresses whose owners have agreed, and a request to agree to those without a valid request. */
export const notifyOfSubmission = dueJob('form_submission.notify', {
  emits: ['email.created'],
  async work(context: Context, { submission: id }: SubmissionPayload) {
    const submission = await findRow(context, FormSubmission, id)
    if (!submission) return
    const form = await requireRow(context, Form, submission.form)
    const replyTo = submission.email ?? undefined
    const consent = await consentOf(context, form.notification_emails)
    await askFor(context, form, consent)
    for (const to of form.notification_emails.filter((address) => consent.agreed.has(address)))
      await queueSubmissionNotice(context, { to, customer: null, replyTo }, noticeOf(form.name, submission))
  },
})

function noticeOf(form: string, { answers, created_at }: FormSubmissionRow) {
  const given = answers.map(({ label, value }) => ({ label, value: inWords(value) }))
  return { form, submittedAt: created_at, answers: given }
}

function inWords(value: Answer['value']): string {
  if (value === null) return '–'
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  return Array.isArray(value) ? value.join(', ') : String(value)
}

/** Returns the secret URL with which the owner of the address confirms a submission. */
export function confirmationUrl(context: Pick<Context, 'publicUrl' | 'services'>, id: string): string {
  return inOnePiece(context.publicUrl, '/forms/confirm/', secretOf(context, FormSubmission, id))
}

/** Returns the id of the submission that a secret belongs to, or null if the secret is wrong. */
export function submissionIdOf(context: VaultContext, secret: string): string | null {
  return idOfSecret(context, FormSubmission, secret)
}
