import { inOnePiece } from '../../../contract/values/values.ts'
import type { Context } from '../../../records/context.ts'
import { findNamed, findRows } from '../../../records/records.ts'
import type { Derived } from '../../../records/resource.ts'
import { consentOf, withoutConsent } from '../notification-address/ask.ts'
import { Tag } from '../tag/tag.ts'
import type { FormRow } from './form.ts'

export async function deriveForms(forms: FormRow[], context: Context): Promise<Derived[]> {
  const known = await findNamed(context, Tag, 'tags', forms)
  const notified = [...new Set(forms.flatMap(({ notification_emails }) => notification_emails))]
  const consent = await consentOf(context, notified)
  return forms.map((form) => ({
    unconfirmed_notification_emails: withoutConsent(form.notification_emails, consent),
    tags: form.tags.filter((id) => known.has(id)),
    url: inOnePiece(context.publicUrl, '/forms/', form.id),
  }))
}

/** Returns the ids of those of the form's tags that still exist. */
export async function tagsOf(context: Context, { tags }: FormRow): Promise<string[]> {
  const known = await findRows(context, Tag, tags)
  return tags.filter((id) => known.has(id))
}
