import { ApiError } from '../../../contract/declarations/errors.ts'
import type { Context } from '../../../records/context.ts'
import { deleteRow } from '../../../records/records.ts'
import { Form, type FormRow } from './form.ts'

export async function deleteForm(context: Context, form: FormRow): Promise<void> {
  if (form.submissions_count > 0)
    throw new ApiError('resource_in_use', 'This form has submissions and cannot be deleted. Archive it instead.')
  await deleteRow(context, Form, form)
  context.emit(Form, 'deleted', form)
}
