import { type Meant, words } from '../../../records/starting.ts'
import { customersStarting } from '../customer/starting.ts'
import { FormSubmission } from './form_submission.ts'

/** What people have in hand of a submission. */
export const SUBMISSION_WORDS = words(
  FormSubmission,
  'An id, or the start of the customer’s e-mail, name or last name',
  async (context, given): Promise<Meant[]> =>
    FormSubmission.isId(given) ? [['id', [given]]] : [['respondent', await customersStarting(context, given)]],
)
