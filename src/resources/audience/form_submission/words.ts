import { type Meant, words } from '../../../records/starting.ts'
import { customersFound } from '../customer/found.ts'
import { FormSubmission } from './form_submission.ts'

export const SUBMISSION_WORDS = words(
  FormSubmission,
  'An id, or beginnings of words of the customer’s e-mail or name',
  async (context, given): Promise<Meant[]> =>
    FormSubmission.isId(given) ? [['id', [given]]] : [['respondent', await customersFound(context, given)]],
)
