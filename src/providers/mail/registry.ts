import { join } from 'node:path'
import { outboxIn } from './outbox/outbox.ts'
import type { LetterLimits, Mail, MailEntry } from './provider.ts'
import { type SmtpSettings, smtp } from './smtp/smtp.ts'

/** The sender's address of messages in the outbox. Nobody can reply to it. */
const OUTBOX_FROM = 'shop@localhost'
const SENDERS: readonly MailEntry<SmtpSettings>[] = [smtp]

interface MailSettings extends SmtpSettings {
  DATA_DIR: string
  MAIL_FROM?: string | undefined
  EMAILS_PER_DAY: number
  EMAILS_PER_RECIPIENT: number
}

/** Opens the configured mail provider, or the outbox in the data directory if there is none. */
export function createMail(settings: MailSettings): Mail {
  const outbox = outboxIn(join(settings.DATA_DIR, 'outbox'), { setUp: SENDERS.map(({ setUp }) => setUp).join(' ') })
  const [live = outbox] = SENDERS.flatMap((entry) => entry.open(settings) ?? [])
  const letters: LetterLimits = { perDay: settings.EMAILS_PER_DAY, perRecipient: settings.EMAILS_PER_RECIPIENT }
  return {
    from: settings.MAIL_FROM ?? OUTBOX_FROM,
    letters,
    providerFor: ({ test }) => (test ? outbox : live),
    check: () => live.check(),
    close: () => live.close(),
  }
}
