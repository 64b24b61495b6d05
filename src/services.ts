import { vaultOf } from './access/vault.ts'
import type { Settings } from './config.ts'
import { createMail } from './mail/mail.ts'
import { createPayments } from './payments/payments.ts'
import type { Services } from './records/services.ts'
import { createWebClient } from './web/web.ts'

/** The adapters that the settings choose. */
export function createServices(settings: Settings, secret: string): Services {
  return {
    payments: createPayments(settings),
    mail: createMail(settings),
    web: createWebClient(settings),
    vault: vaultOf(secret),
  }
}
