import type { Context } from '../../../records/context.ts'
import { changeRow } from '../../../records/records.ts'
import { Form, type FormRow } from './form.ts'

/** From now on it takes no submissions. */
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
