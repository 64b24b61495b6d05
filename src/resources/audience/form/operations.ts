import { ApiError } from '../../../contract/declarations/errors.ts'
import type { Changes, CreateInput } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import { equals, search } from '../../../records/filters.ts'
import { changeRow, deleteRow, insertRow } from '../../../records/records.ts'
import { resource } from '../../../records/resource.ts'
import { verbs } from '../../../records/verbs.ts'
import { askNotified } from '../notification-address/ask.ts'
import { idsOfTags, requireTagNames } from '../tag/write.ts'
import { Form, type FormRow, requireAddressToConfirm } from './form.ts'
import { changedFields, newFields } from './settle-fields.ts'
import { deriveForms } from './show.ts'

async function createForm(context: Context, input: CreateInput<typeof Form>): Promise<FormRow> {
  const settled = newFields(input.fields)
  requireAddressToConfirm({ ...input, ...settled })
  const form = await insertRow(context, Form, {
    ...input,
    ...settled,
    tags: await idsOfTags(context, input.tags),
    notification_emails: [...new Set(input.notification_emails)],
    status: 'active',
    submissions_count: 0,
  })
  context.emit(Form, 'created', form)
  if (form.notification_emails.length > 0) await context.enqueue(askNotified, { form: form.id })
  return form
}

async function updateForm(context: Context, form: FormRow, changes: Changes<typeof Form>): Promise<FormRow> {
  const { fields, tags, notification_emails: notified } = changes
  const wanted = {
    ...changes,
    ...(fields !== undefined && changedFields(fields, form)),
    ...(notified !== undefined && { notification_emails: [...new Set(notified)] }),
  }
  requireAddressToConfirm({ ...form, ...wanted })
  const given = tags === undefined ? {} : { tags: await idsOfTags(context, tags) }
  const changed = await changeRow(context, Form, form, { ...wanted, ...given })
  context.emit(Form, 'updated', changed)
  if (notified?.length) await context.enqueue(askNotified, { form: form.id })
  return changed
}

async function archiveForm(context: Context, form: FormRow): Promise<FormRow> {
  const archived = await changeRow(context, Form, form, { status: 'archived', archived_at: context.now })
  return context.emit(Form, 'archived', archived)
}

async function restoreForm(context: Context, form: FormRow): Promise<FormRow> {
  return context.emit(Form, 'restored', await changeRow(context, Form, form, { status: 'active', archived_at: null }))
}

async function deleteForm(context: Context, form: FormRow): Promise<void> {
  if (form.submissions_count > 0)
    throw new ApiError('resource_in_use', 'This form has submissions and cannot be deleted. Archive it instead.')
  await deleteRow(context, Form, form)
  context.emit(Form, 'deleted', form)
}

const { list, create, retrieve, update, remove, action } = verbs(Form)

export const forms = resource(Form, {
  derive: deriveForms,
  operations: [
    list({
      summary: 'List forms',
      filters: {
        status: equals(Form, 'status', 'Only forms in this status'),
        query: search('Text in the name or description, ignoring case and accents'),
      },
    }),
    create({
      summary: 'Create a form',
      description:
        'Its url is at once a public page for signing up, asking or registering, such as a newsletter, contact form or survey. Without `fields` it asks for e-mail and name. The first field of type text is taken for the person’s name, so ask for a company in a textarea. Answering or tagging by itself is the work of a task for form_submission.created: POST /tasks.',
      emits: ['form.created', 'tag.created'],
      checks: [
        { fields: ['fields'], check: (_, { fields = [] }) => newFields(fields) },
        {
          fields: ['fields', 'confirmation_required'],
          check: (_, { fields = [], confirmation_required = false }) =>
            fields.length > 0 && requireAddressToConfirm({ fields, confirmation_required }),
        },
        { fields: ['tags'], check: (_, { tags = [] }) => requireTagNames(tags) },
      ],
      rule: createForm,
    }),
    retrieve({ summary: 'Show one form' }),
    update({
      summary: 'Change a form',
      description:
        '`fields` replaces all questions, in page order: those sent with their id keep it, others are new. Earlier submissions do not change.',
      emits: ['form.updated', 'tag.created'],
      rule: updateForm,
    }),
    remove({
      summary: 'Delete a form without submissions',
      description: 'If it has submissions, 400 resource_in_use: archive it instead.',
      rule: deleteForm,
    }),
    action('archive', {
      summary: 'Archive a form',
      description: 'It accepts no more submissions, and its page says so. Earlier submissions are kept.',
      emits: ['form.archived'],
      evenWhenFull: true,
      rule: archiveForm,
    }),
    action('restore', {
      summary: 'Restore an archived form',
      description: 'It accepts submissions again.',
      emits: ['form.restored'],
      rule: restoreForm,
    }),
  ],
})
