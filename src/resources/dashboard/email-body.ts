import { dashboardRead } from '../../records/dashboard-read.ts'
import { requireRow } from '../../records/records.ts'
import { Email } from '../messages/email/email.ts'
import { bodyOf } from '../messages/email/queue.ts'

/**
 * Shows the content of an e-mail without the secret parts of its links. Content is not stored if it is too long or contains a
 * secret, and it is deleted after 30 days or with the customer.
 */
export const emailBody = dashboardRead('customers.read', async (context, email: string) => {
  const { id } = await requireRow(context, Email, email)
  const body = await bodyOf(context, id)
  return { kept: body !== null, text: body?.text ?? null, html: body?.html ?? null }
})
