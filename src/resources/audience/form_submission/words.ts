import { type Meant, words } from '../../../records/starting.ts'
import { customersFound } from '../customer/found.ts'
import { FormSubmission } from './form_submission.ts'

/** What people have in hand of a submission. */
export const SUBMISSION_WORDS = words(
  FormSubmission,
  'An id, or beginnings of words of the customer’s e-mail or name',
  async (context, given): Promise<Meant[]> =>
    FormSubmission.isId(given) ? [['id', [given]]] : [['respondent', await customersFound(context, given)]],
)
