import { dashboardRead } from '../../records/dashboard-read.ts'
import { requireRow } from '../../records/records.ts'
import { Email } from '../messages/email/email.ts'
import { bodyOf } from '../messages/email/queue.ts'

/** Shows the content of an e-mail without the secrets of its links. It is not kept if it is over 30 days old, was too long or held a secret. */
export const emailBody = dashboardRead('customers.read', async (context, email: string) => {
  const { id } = await requireRow(context, Email, email)
  const body = await bodyOf(context, id)
  return { kept: body !== null, text: body?.text ?? null, html: body?.html ?? null }
})
