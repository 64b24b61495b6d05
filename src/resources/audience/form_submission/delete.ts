import { sql } from 'kysely'
import type { Context } from '../../../records/context.ts'
import { deleteRow } from '../../../records/records.ts'
import { updateRowsOf } from '../../../records/rows-of.ts'
import { FormSubmission, type FormSubmissionRow } from './form_submission.ts'

/** Deletes what somebody sent, such as one of many that fill the storage. Whoever sent it stays a customer. */
export async function deleteSubmission(context: Context, submission: FormSubmissionRow): Promise<void> {
  await deleteRow(context, FormSubmission, submission)
  const form = updateRowsOf(context, 'forms').where('id', '=', submission.form)
  await form.set({ submissions_count: sql<number>`submissions_count - 1` }).execute()
}
