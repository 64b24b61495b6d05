import { custom } from '../../../records/custom.ts'
import { resource } from '../../../records/resource.ts'
import { MailSettings } from './mail_settings.ts'
import { showMailSettings } from './show.ts'

export const mailSettings = resource(MailSettings, {
  dashboard: [
    custom({
      id: 'retrieve_mail_settings',
      method: 'GET',
      path: '/mail_settings',
      summary: 'Show how the account’s e-mails are sent',
      answers: MailSettings,
      rule: showMailSettings,
    }),
  ],
})
