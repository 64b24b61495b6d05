import { ApiError } from '../../../contract/declarations/errors.ts'
import type { Changes, CreateInput } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow, deleteRow, insertRow } from '../../../records/records.ts'
import { askNotified } from '../notification-address/ask.ts'
import { idsOfTags } from '../tag/ids.ts'
import { Form, type FormRow, requireAddressToConfirm } from './form.ts'
import { changedFields, newFields } from './settle-fields.ts'

export async function createForm(context: Context, input: CreateInput<typeof Form>): Promise<FormRow> {
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

export async function updateForm(context: Context, form: FormRow, changes: Changes<typeof Form>): Promise<FormRow> {
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

export async function archiveForm(context: Context, form: FormRow): Promise<FormRow> {
  const archived = await changeRow(context, Form, form, { status: 'archived', archived_at: context.now })
  context.emit(Form, 'archived', archived)
  return archived
}

export async function restoreForm(context: Context, form: FormRow): Promise<FormRow> {
  const restored = await changeRow(context, Form, form, { status: 'active', archived_at: null })
  context.emit(Form, 'restored', restored)
  return restored
}

export async function deleteForm(context: Context, form: FormRow): Promise<void> {
  if (form.submissions_count > 0)
    throw new ApiError('resource_in_use', 'This form has submissions and cannot be deleted. Archive it instead.')
  await deleteRow(context, Form, form)
  context.emit(Form, 'deleted', form)
}
