import type { Context } from '../../../records/context.ts'
import { changeRow, findRow, requireRow } from '../../../records/records.ts'
import { Customer, type CustomerRow } from '../customer/customer.ts'
import { announceLead } from '../customer/write.ts'
import { Form, type FormRow } from '../form/form.ts'
import { FormSubmission, type FormSubmissionRow } from './form-submission.ts'
import { tagRespondent } from './respondent.ts'
import { notify } from './submit.ts'

export const CONFIRMATION_EVENTS = [
  'form_submission.created',
  'lead.created',
  'customer.confirmed',
  'customer.updated',
] as const

/** Confirms a submission whose address was verified, and does what `submitForm` postponed. A second confirmation has no effect. */
export async function confirmSubmission(context: Context, submission: FormSubmissionRow): Promise<void> {
  if (submission.confirmed) return
  const form = await requireRow(context, Form, submission.form)
  const confirmed = await changeRow(context, FormSubmission, submission, { confirmed: true, announced: true })
  // Earlier versions emitted this event at the time of the submission.
  if (!submission.announced) context.emit(FormSubmission, 'created', confirmed)
  const customer = submission.respondent === null ? undefined : await findRow(context, Customer, submission.respondent)
  if (customer && customer.email === submission.email) await confirmCustomer(context, form, customer)
  await notify(context, form, submission.id)
}

/** The caller checks that the customer still has the confirmed address. */
async function confirmCustomer(context: Context, form: FormRow, customer: CustomerRow): Promise<void> {
  await tagRespondent(context, form, customer)
  await announceLead(context, customer)
  if (customer.confirmed_at !== null) return
  context.emit(Customer, 'confirmed', await changeRow(context, Customer, customer, { confirmed_at: context.now }))
}
