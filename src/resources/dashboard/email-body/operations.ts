import { custom } from '../../../records/custom.ts'
import { requireRow } from '../../../records/records.ts'
import { resource } from '../../../records/resource.ts'
import { bodyOf } from '../../messages/email/body.ts'
import { Email } from '../../messages/email/email.ts'
import { EmailBody } from './email-body.ts'

export const emailBodies = resource(EmailBody, {
  dashboard: [
    custom({
      id: 'retrieve_email_body',
      method: 'GET',
      path: '/email_bodies/{email}',
      summary: 'Show the content of an e-mail',
      answers: EmailBody,
      rule: async (context, { path }) => {
        const { id } = await requireRow(context, Email, path.email)
        const body = await bodyOf(context, id)
        return { kept: body !== null, text: body?.text ?? null, html: body?.html ?? null }
      },
    }),
  ],
})
