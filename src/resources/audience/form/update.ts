import type { Changes } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow } from '../../../records/records.ts'
import { askNotified } from '../notification_address/ask.ts'
import { idsOfTags } from '../tag/ids.ts'
import { Form, type FormRow, requireAddressToConfirm } from './form.ts'
import { changedFields } from './settle_fields.ts'

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
