import { z } from 'zod'
import { email, flag, metadata, reference, structure, text } from '../../../contract/kinds.ts'
import { exampleId, noun } from '../../../contract/noun.ts'
import type { FieldType } from '../form/form.ts'

export type AnswerValue = string | number | boolean | string[] | null

/** One answer, with the question as it was when it was answered. */
export interface Answer {
  field_id: number
  label: string
  value: AnswerValue
  required: boolean
  field_type: FieldType
}

/** What a body says: values by the field's id. */
export type GivenAnswers = Record<string, AnswerValue>

/** Values of a body are checked by the rule, which knows the fields of the form. */
export const givenAnswers = structure<GivenAnswers>(
  'object',
  z.record(z.string(), z.custom<AnswerValue>()),
  'Values by the id of the field: a text, a number, true or false for a checkbox, an array of texts for a select of several. Dates as 2027-01-31',
  { '1': 'ada@example.com', '2': 'Ada Lovelace' },
  {
    json: {
      type: 'object',
      maxProperties: 100,
      additionalProperties: {
        anyOf: [{ type: ['string', 'number', 'boolean', 'null'] }, { type: 'array', items: { type: 'string' } }],
      },
    },
  },
)

export const FormSubmission = noun('form_submission', {
  prefix: 'fsub',
  group: 'FormSubmissions',
  description: 'What one person answered to a form.',
  events: ['created'],
  eventDescriptions: {
    created:
      'A form was answered. Where the form asks for a confirmation, it is sent once the owner of the e-mail address has confirmed the submission, with `confirmed: true`.',
  },
  eventExpand: ['respondent'],
  immutable: true,
  example: { email: 'ada@example.com', name: 'Ada Lovelace' },
  hidden: {
    announced: flag('Whether form_submission.created was emitted: not before a double opt-in is confirmed'),
  },
  fields: {
    form: reference('form', 'Form that was answered', exampleId('form'))
      .required()
      .writtenAs('form_id')
      .createOnly()
      .expandable(),
    respondent: reference('customer', 'Customer with the e-mail address, made as a lead where there was none')
      .nullable('without an e-mail address, or the customer was deleted')
      .readOnly()
      .expandable(),
    email: email('E-mail address of the respondent. Absent: the answer to the first field of type email')
      .nullable('none given')
      .createOnly(),
    name: text('Name of the respondent. Absent: the answer to the first field of type text', {
      max: 200,
      example: 'Ada Lovelace',
    })
      .nullable('none given')
      .createOnly(),
    answers: structure<Answer[]>(
      'array',
      z.array(
        z.object({
          field_id: z.number(),
          label: z.string(),
          value: z.union([z.string(), z.number(), z.boolean(), z.array(z.string()), z.null()]),
          required: z.boolean(),
          field_type: z.custom<FieldType>(),
        }),
      ),
      'An answer for each field of the form at that time, in order; value is null where it was left out',
      [
        { field_id: 1, label: 'Email', value: 'ada@example.com', required: true, field_type: 'email' },
        { field_id: 2, label: 'Name', value: 'Ada Lovelace', required: false, field_type: 'text' },
      ],
    ).readOnly(),
    confirmed: flag('false while the form waits for the owner of the e-mail address to confirm it', true).readOnly(),
    metadata: metadata().createOnly(),
  },
})
