import { sql } from 'kysely'
import { ApiError } from '../../../contract/declarations/errors.ts'
import type { CreateInput } from '../../../contract/declarations/noun.ts'
import type { BodyCheck } from '../../../contract/declarations/operation.ts'
import type { Context } from '../../../records/context.ts'
import { deleteRow, requireRow } from '../../../records/records.ts'
import { updateRowsOf } from '../../../records/rows-of.ts'
import { Form } from '../form/form.ts'
import { readAnswers } from './answers.ts'
import { FormSubmission, type FormSubmissionRow, type GivenAnswers } from './form-submission.ts'
import { submitForm } from './submit.ts'

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

/** The customer of the submission stays. */
export async function deleteSubmission(context: Context, submission: FormSubmissionRow): Promise<void> {
  await deleteRow(context, FormSubmission, submission)
  const form = updateRowsOf(context, 'forms').where('id', '=', submission.form)
  await form.set({ submissions_count: sql<number>`submissions_count - 1` }).execute()
}
