import { vaultOf } from './access/vault.ts'
import type { Settings } from './config.ts'
import { signedSender } from './events/signed-sender.ts'
import { createMail } from './mail/mail.ts'
import { createPayments } from './payments/payments.ts'
import type { Services } from './records/services.ts'
import { createWeb } from './web/web.ts'

/** The adapters that the settings choose. */
export function createServices(settings: Settings, secret: string): Services {
  const web = createWeb(settings)
  return {
    payments: createPayments(settings),
    mail: createMail(settings),
    web,
    webhooks: signedSender(web.webhooks, {
      timeoutMs: settings.WEBHOOK_TIMEOUT_SECONDS * 1000,
      signatureHeader: settings.WEBHOOK_SIGNATURE_HEADER,
    }),
    vault: vaultOf(secret),
  }
}
