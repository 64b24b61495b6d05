import { exampleId } from '../../../contract/declarations/noun.ts'
import { equals } from '../../../records/filters.ts'
import { resource } from '../../../records/resource.ts'
import { words } from '../../../records/search-filter.ts'
import { verbs } from '../../../records/verbs.ts'
import { customersFound } from '../customer/found.ts'
import { FormSubmission, givenAnswers } from './form-submission.ts'
import { askToConfirm, notifyOfSubmission } from './jobs.ts'
import { createSubmission, deleteSubmission, SUBMISSION_CHECKS, SUBMISSION_EVENTS } from './submit.ts'

const SUBMISSION_WORDS = words(
  FormSubmission,
  'An id, or beginnings of words of the customer’s e-mail or name',
  async (context, given) => [['respondent', await customersFound(context, given)]],
)

const { list, create, retrieve, remove } = verbs(FormSubmission)

export const formSubmissions = resource(FormSubmission, {
  jobs: [askToConfirm, notifyOfSubmission],
  operations: [
    list({
      summary: 'List form submissions',
      filters: {
        form: equals(FormSubmission, 'form', 'Only submissions of this form'),
        query: SUBMISSION_WORDS,
        confirmed: equals(FormSubmission, 'confirmed', 'Only confirmed ones, or only unconfirmed ones'),
        customer: equals(FormSubmission, 'respondent', 'Only submissions by this customer'),
      },
    }),
    create({
      summary: 'Submit a form',
      description:
        'Works like its page, with values by field id: {"1": "ada@example.com", "3": "Up to 500"}. Invalid answers are 422 at answers.<field id>, and an archived form is 400 invalid_state. The e-mail address creates a lead or finds the customer, who gets the form’s tags. If confirmation is required, a link is mailed first; form_submission.created, lead.created, tags and notifications follow the confirmation.',
      emits: [...SUBMISSION_EVENTS],
      inTurn: true,
      body: { answers: givenAnswers.default({}) },
      example: { form_id: exampleId('form'), email: 'ada@example.com', answers: { '2': 'Ada Lovelace' } },
      checks: SUBMISSION_CHECKS,
      rule: createSubmission,
    }),
    retrieve({ summary: 'Show one form submission' }),
  ],
  dashboard: [remove({ right: 'customers.erase', summary: 'Delete a form submission', rule: deleteSubmission })],
})
