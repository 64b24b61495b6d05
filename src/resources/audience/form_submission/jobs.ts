import type { Row } from '../../../contract/noun.ts'
import type { Context } from '../../../records/context.ts'
import { dueJob } from '../../../records/job.ts'
import { findRow, requireRow } from '../../../records/records.ts'
import { queueConfirmation, queueSubmissionNotice } from '../../messages/email/service_mail.ts'
import { Form } from '../form/form.ts'
import { type Answer, FormSubmission } from './form_submission.ts'
import { confirmationUrl } from './secret.ts'

interface OfSubmission {
  submission: string
}

/** Mails the link by which the owner of the address confirms a submission. */
export const askToConfirm = dueJob('form_submission.ask_to_confirm', {
  emits: ['email.created'],
  async work(context: Context, { submission: id }: OfSubmission) {
    const submission = await findRow(context, FormSubmission, id)
    if (!submission || submission.confirmed || submission.email === null) return
    const form = await requireRow(context, Form, submission.form)
    const recipient = { to: submission.email, customer: submission.respondent }
    await queueConfirmation(context, recipient, { form: form.name, confirmUrl: confirmationUrl(context, id) })
  },
})

/** Tells those whom the form names of a submission; what they answer goes to the respondent. */
export const notifyOfSubmission = dueJob('form_submission.notify', {
  emits: ['email.created'],
  async work(context: Context, { submission: id }: OfSubmission) {
    const submission = await findRow(context, FormSubmission, id)
    if (!submission) return
    const form = await requireRow(context, Form, submission.form)
    const replyTo = submission.email ?? undefined
    for (const to of form.notification_emails)
      await queueSubmissionNotice(context, { to, customer: null, replyTo }, noticeOf(form.name, submission))
  },
})

function noticeOf(form: string, { answers, created_at }: Row<typeof FormSubmission>) {
  const given = answers.map(({ label, value }) => ({ label, value: inWords(value) }))
  return { form, submittedAt: created_at, answers: given }
}

/** An answer as people read it. */
function inWords(value: Answer['value']): string {
  if (value === null) return '–'
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  return Array.isArray(value) ? value.join(', ') : String(value)
}
