import { z } from 'zod'
import { email, flag, metadata, reference, structure, text } from '../../../contract/declarations/kinds.ts'
import { exampleId, noun, type Row } from '../../../contract/declarations/noun.ts'
import type { FieldType } from '../form/form.ts'

const answerValue = z.union([z.string(), z.number(), z.boolean(), z.array(z.string()), z.null()])
export type AnswerValue = z.output<typeof answerValue>

/** An answer with the label and type that the field had at the time of the submission. */
const answer = z.object({
  field_id: z.number(),
  label: z.string(),
  value: answerValue,
  required: z.boolean(),
  field_type: z.custom<FieldType>(),
})
export type Answer = z.output<typeof answer>

export type GivenAnswers = Record<string, AnswerValue>

/** `readAnswers` validates the values, because it knows the fields of the form. */
export const givenAnswers = structure<GivenAnswers>(
  'object',
  z.record(z.string(), z.custom<AnswerValue>()),
  'Values by field id: text, a number, true or false for a checkbox, an array of texts for a multiple select. Dates as 2027-01-31',
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
  area: 'customers',
  description: 'One person’s answers to a form.',
  gist: 'answers to a form',
  events: ['created'],
  eventDescriptions: {
    created:
      'A form was answered. If the form requires confirmation, this is sent once the submission is confirmed, with `confirmed: true`.',
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
    respondent: reference('customer', 'Customer with the e-mail address; created as a lead if there was none')
      .nullable('no e-mail address, or the customer was deleted')
      .readOnly()
      .expandable(),
    email: email('The respondent’s e-mail address. Default: the answer to the first field of type email')
      .nullable('none given')
      .createOnly(),
    name: text('The respondent’s name. Default: the answer to the first field of type text', {
      max: 200,
      example: 'Ada Lovelace',
    })
      .nullable('none given')
      .createOnly()
      .byStrangers(),
    answers: structure(
      'array',
      z.array(answer),
      'One answer for each field of the form at that time, in order; value is null if unanswered',
      [
        { field_id: 1, label: 'Email', value: 'ada@example.com', required: true, field_type: 'email' },
        { field_id: 2, label: 'Name', value: 'Ada Lovelace', required: false, field_type: 'text' },
      ],
    )
      .readOnly()
      .byStrangers(),
    confirmed: flag('Whether it is confirmed; false while a required confirmation is outstanding', true).readOnly(),
    metadata: metadata().createOnly(),
  },
})

export type FormSubmissionRow = Row<typeof FormSubmission>
