import { sql } from 'kysely'
import { ApiError, invalid } from '../../../contract/declarations/errors.ts'
import type { CreateInput } from '../../../contract/declarations/noun.ts'
import type { BodyCheck } from '../../../contract/declarations/operation.ts'
import { laterBy } from '../../../contract/values/values.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow, deleteRow, findRow, insertRow, requireRow } from '../../../records/records.ts'
import { countRows, rowsOf, updateRowsOf } from '../../../records/rows-of.ts'
import { customerWithEmail } from '../../sales/checkout/buyer.ts'
import { Customer, type CustomerRow } from '../customer/customer.ts'
import { announceLead, createCustomer, setTags, tagCustomer } from '../customer/write.ts'
import { Form, type FormRow } from '../form/form.ts'
import { tagsOf } from '../form/show.ts'
import { readAnswers, type SubmissionInput } from './answers.ts'
import { FormSubmission, type FormSubmissionRow, type GivenAnswers } from './form-submission.ts'
import { mailConfirmation, notifyOfSubmission } from './jobs.ts'

export const SUBMISSION_CHECKS: readonly BodyCheck<Context, Partial<Input>>[] = [
  {
    fields: ['form_id', 'email', 'name', 'answers'],
    check: async (context, { form, answers = {}, ...given }) =>
      form !== undefined && readAnswers(await requireRow(context, Form, form, 'form_id'), { ...given, answers }),
  },
]

type Input = Omit<CreateInput<typeof FormSubmission>, 'answers'> & { answers: GivenAnswers }

export async function createSubmission(context: Context, input: Input): Promise<FormSubmissionRow> {
  const { form: formId, ...given } = input
  const form = await requireRow(context, Form, formId, 'form_id')
  if (form.status === 'archived')
    throw new ApiError('invalid_state', 'This form is archived and accepts no submissions. Restore it first.')
  return submitForm(context, form, given)
}

/** Deletes a submission. Its customer stays. */
export async function deleteSubmission(context: Context, submission: FormSubmissionRow): Promise<void> {
  await deleteRow(context, FormSubmission, submission)
  const form = updateRowsOf(context, 'forms').where('id', '=', submission.form)
  await form.set({ submissions_count: sql<number>`submissions_count - 1` }).execute()
}

/** The maximum number of unconfirmed submissions per address within an hour, so that confirmation requests cannot flood an inbox. */
const MOST_UNCONFIRMED = 5
const WITHIN_MS = 60 * 60 * 1000

export const SUBMISSION_EVENTS = [
  'form_submission.created',
  'customer.created',
  'lead.created',
  'customer.updated',
  'email.created',
] as const

/**
 * Stores a submission. If the form requires confirmation, the event, the tags and the notifications follow once it is confirmed.
 * Throws a 422 that names wrong answers.
 */
async function submitForm(
  context: Context,
  form: FormRow,
  { metadata, ...given }: SubmissionInput & { metadata?: Record<string, string> },
): Promise<FormSubmissionRow> {
  const read = readAnswers(form, given)
  const waits = form.confirmation_required
  if (waits) await requireFewUnconfirmed(context, read.email)
  const { customer, made } = await respondentOf(context, read, { waits })
  const submission = await insertRow(context, FormSubmission, {
    ...read,
    ...(metadata && { metadata }),
    form: form.id,
    respondent: customer?.id ?? null,
    confirmed: !waits,
    announced: !waits,
  })
  await countSubmission(context, form.id)
  if (waits) {
    await mailConfirmation(context, form, submission)
    return submission
  }
  context.emit(FormSubmission, 'created', submission)
  if (customer) await tagRespondent(context, form, customer, { made })
  await notify(context, form, submission.id)
  return submission
}

async function notify(context: Context, form: FormRow, submission: string): Promise<void> {
  if (form.notification_emails.length > 0) await context.enqueue(notifyOfSubmission, { submission })
}

/** Increments the form's counter without an event and without a change of `updated_at`. */
async function countSubmission(context: Context, formId: string): Promise<void> {
  const form = updateRowsOf(context, 'forms').where('id', '=', formId)
  await form.set({ submissions_count: sql<number>`submissions_count + 1` }).execute()
}

async function requireFewUnconfirmed(context: Context, email: string | null): Promise<void> {
  const unconfirmed = rowsOf(context, 'form_submissions')
    .where('email', '=', email)
    .where('confirmed', '=', 0)
    .where('created_at', '>', laterBy(context.now, -WITHIN_MS))
  if ((await countRows(unconfirmed)) >= MOST_UNCONFIRMED)
    throw invalid({ email: ['was sent several confirmation requests within an hour; confirm one, or wait'] })
}

interface Respondent {
  /** Null if the submission has no e-mail address. */
  customer: CustomerRow | null
  made: boolean
}

/** Finds the customer by e-mail address, or creates a lead. If `waits` is true, the confirmation emits `lead.created`. */
async function respondentOf(
  context: Context,
  { email, name }: { email: string | null; name: string | null },
  { waits }: { waits: boolean },
): Promise<Respondent> {
  if (email === null) return { customer: null, made: false }
  const known = await customerWithEmail(context, email)
  if (!known) {
    const customer = await createCustomer(context, { email, name, metadata: {} }, { announced: !waits })
    return { customer, made: true }
  }
  if (!waits) await announceLead(context, known)
  return { customer: known, made: false }
}

/** Adds the form's tags to the customer. A new one (`made`) needs no `customer.updated`: `customer.created` shows the tags. */
async function tagRespondent(
  context: Context,
  form: FormRow,
  customer: CustomerRow,
  { made = false } = {},
): Promise<void> {
  const tags = await tagsOf(context, form)
  if (made) {
    await setTags(context, customer.id, tags, 'add')
    return
  }
  await context.remember(Customer, [customer])
  await tagCustomer(context, customer, { tags, mode: 'add' })
}

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

/** Tags and announces the customer of a confirmed submission. The caller checks that the customer still has the address. */
async function confirmCustomer(context: Context, form: FormRow, customer: CustomerRow): Promise<void> {
  await tagRespondent(context, form, customer)
  await announceLead(context, customer)
  if (customer.confirmed_at !== null) return
  context.emit(Customer, 'confirmed', await changeRow(context, Customer, customer, { confirmed_at: context.now }))
}
