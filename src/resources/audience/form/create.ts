import type { CreateInput } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import { insertRow } from '../../../records/records.ts'
import { askNotified } from '../notification_address/ask.ts'
import { idsOfTags } from '../tag/ids.ts'
import { Form, type FormRow, requireAddressToConfirm } from './form.ts'
import { newFields } from './settle_fields.ts'

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
