import { z } from 'zod'
import { invalid } from '../../../contract/declarations/errors.ts'
import {
  email,
  flag,
  integer,
  longText,
  metadata,
  oneOf,
  references,
  servedAddress,
  structure,
  text,
  timestamp,
  webAddress,
} from '../../../contract/declarations/kinds.ts'
import { nestedText as words } from '../../../contract/declarations/nested-text.ts'
import { exampleId, noun, type Row } from '../../../contract/declarations/noun.ts'

/** Limits on a form's fields, a label's characters, a field's options and an option's characters. */
const MAX_FIELDS = 50
const MAX_LABEL = 200
const MAX_OPTIONS = 100
const MAX_OPTION = 200
const MAX_NOTIFIED = 10

const FIELD_TYPES = [
  'email',
  'text',
  'textarea',
  'number',
  'phone',
  'select',
  'multi_select',
  'checkbox',
  'date',
  'url',
] as const
export type FieldType = (typeof FIELD_TYPES)[number]

const wholeNumber = z.number().refine(Number.isInteger, 'must be an integer')

const formField = z.object({
  /** Counts from 1 and is never reused within the form; 0 until the server assigns it. */
  id: wholeNumber.nullish().transform((id) => id ?? 0),
  type: z.enum(FIELD_TYPES),
  label: words(MAX_LABEL),
  required: z.boolean().nullish().transform(Boolean),
  placeholder: words(MAX_LABEL)
    .nullish()
    .transform((placeholder) => placeholder ?? null),
  /** The choices of a select field; null for other types. */
  options: z
    .array(words(MAX_OPTION))
    .max(MAX_OPTIONS, `has too many entries (maximum is ${MAX_OPTIONS})`)
    .nullish()
    .transform((options) => options ?? null),
  /** Counts from 1 in page order; 0 until the server assigns it. */
  position: z
    .unknown()
    .optional()
    .transform(() => 0),
})
export type FormField = z.output<typeof formField>

export const DEFAULT_FIELDS: readonly FormField[] = [
  { id: 1, type: 'email', label: 'Email', required: true, placeholder: null, options: null, position: 1 },
  { id: 2, type: 'text', label: 'Name', required: false, placeholder: null, options: null, position: 2 },
]

const json = {
  type: 'array',
  maxItems: MAX_FIELDS,
  items: {
    type: 'object',
    required: ['type', 'label'],
    properties: {
      id: { type: ['integer', 'null'] },
      type: { type: 'string', enum: FIELD_TYPES },
      label: { type: 'string', minLength: 1, maxLength: MAX_LABEL },
      required: { type: ['boolean', 'null'], default: false },
      placeholder: { type: ['string', 'null'], maxLength: MAX_LABEL },
      options: { type: ['array', 'null'], maxItems: MAX_OPTIONS, items: { type: 'string', maxLength: MAX_OPTION } },
      position: { type: 'integer' },
    },
  },
}

export const Form = noun('form', {
  prefix: 'form',
  group: 'Forms',
  area: 'content',
  description: 'A hosted page with questions for visitors; each submission can create a lead.',
  gist: 'page of questions',
  searchable: ['name', 'description'],
  foundBy: ['name'],
  events: ['created', 'updated', 'deleted', 'archived', 'restored'],
  states: { active: ['archive'], archived: ['restore'] },
  example: { archived_at: null },
  hidden: {
    last_field_id: integer('The greatest id that a field of it ever had'),
  },
  fields: {
    name: text('Title of the page', { max: 100, example: 'Newsletter' }).required(),
    description: longText('Text above the questions', 2000, 'One letter a month.').nullable('none'),
    status: oneOf(['active', 'archived'], 'archived: accepts no submissions; earlier ones are kept').readOnly(),
    fields: structure<FormField[]>(
      'array',
      z.array(formField),
      'Questions in page order. Default on create: a required e-mail and a name. Selects need `options`, a list of texts. A change replaces all: send a field’s id to keep it, omit the id for a new one. The server sets ids and positions',
      [...DEFAULT_FIELDS],
      { json },
    ).default([...DEFAULT_FIELDS]),
    confirmation_required: flag(
      'Whether each submission must be confirmed by a link mailed to its e-mail address (double opt-in)',
    ).default(false),
    success_message: longText(
      'Message shown after a submission',
      1000,
      'Thank you. The next letter comes on Friday.',
    ).nullable('a plain thank you'),
    redirect_url: webAddress(
      'URL that visitors are sent to after a submission',
      'https://shop.example/thanks',
    ).nullable('they stay on the form’s page'),
    notification_emails: structure<string[]>(
      'array',
      z.array(email('Address').spec.schema as z.ZodType<string>),
      'Addresses notified of each submission, after its confirmation if that is required. An address is used only once its owner confirms it by a mailed link, sent at most once a week; verified addresses of members need no confirmation',
      ['help@shop.example'],
      { json: { type: 'array', maxItems: MAX_NOTIFIED, items: { type: 'string', format: 'idn-email' } } },
    ).default([]),
    unconfirmed_notification_emails: structure<string[]>(
      'array',
      z.array(z.string()),
      'Addresses in notification_emails that are not confirmed yet; nothing is sent to them',
      [],
      { json: { type: 'array', items: { type: 'string', format: 'idn-email' } } },
    ).derived(),
    tags: references(
      'tag',
      'Tags added to the customer who submits. Written as names or ids: unknown names are created',
      { max: 20 },
    ).default([]),
    submissions_count: integer('Number of all submissions, including unconfirmed ones', {
      min: 0,
      example: 0,
    }).readOnly(),
    url: servedAddress('Public page of the form', `https://shop.example/forms/${exampleId('form')}`),
    archived_at: timestamp('When it was archived').nullable('not archived').readOnly(),
    metadata: metadata(),
  },
})

export type FormRow = Row<typeof Form>

/** Throws a 422 if the form requires confirmations but does not ask for an e-mail address. */
export function requireAddressToConfirm(form: { confirmation_required: boolean; fields: readonly FormField[] }): void {
  if (form.confirmation_required && !form.fields.some(({ type }) => type === 'email'))
    throw invalid({ confirmation_required: ['needs a field of type email to send the confirmation to'] })
}
