import { join } from 'node:path'
import { outboxIn } from './outbox/outbox.ts'
import type { Mail } from './provider.ts'
import { smtpServer } from './smtp/smtp.ts'

/** Nobody answers to a file. */
const OUTBOX_FROM = 'shop@localhost'

interface MailSettings {
  DATA_DIR: string
  MAIL_FROM?: string | undefined
  SMTP_URL?: string | undefined
  LETTERS_PER_DAY: number
  LETTERS_PER_RECIPIENT: number
}

/** The way that messages leave: the mail server where the settings name one, otherwise the outbox in the data directory. */
export function createMail({ DATA_DIR, MAIL_FROM, SMTP_URL, ...settings }: MailSettings): Mail {
  const outbox = outboxIn(join(DATA_DIR, 'outbox'))
  const server = SMTP_URL === undefined ? null : smtpServer(SMTP_URL)
  return {
    from: MAIL_FROM ?? OUTBOX_FROM,
    letters: { perDay: settings.LETTERS_PER_DAY, perRecipient: settings.LETTERS_PER_RECIPIENT },
    providerFor: ({ test }) => (test ? outbox : (server ?? outbox)),
    carrierOf: ({ test }) => (test || !server ? 'outbox' : 'server'),
    close: () => server?.close(),
  }
}
