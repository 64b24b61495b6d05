import { MailRefusedError } from '../../../outside/mail/provider.ts'
import type { JobPlace } from '../../../records/job.ts'
import { takeLetter } from '../../messages/email/letter_budget.ts'
import type { LetterKind } from '../../messages/email/letter_kinds.ts'
import { letterHtml } from '../../messages/email/templates/html.ts'
import { type Letter, type Shop, subjectLine, words } from '../../messages/email/templates/letter.ts'
import { letterText } from '../../messages/email/templates/text.ts'

/** A message to a person about signing in. It holds a secret, so it is no e-mail of an account, which others may look at. */
export interface PersonalLetter {
  kind: LetterKind
  /** Whether the operation that asked for it has taken it from the budget, which refuses in its answer. */
  taken?: boolean
  to: string
  subject: string
  heading: string
  words: string
  link?: { label: string; url: string }
  /** What follows the link, or the words. */
  after: string
}

const SENDER: Shop = {
  name: 'Shopwright',
  supportEmail: null,
  contact: 'ask an owner of the account or the operator of this service',
  timeZone: 'UTC',
}

/**
 * Sends it, unless the budget of its kind is used up. A message that the server will never take is given up, and any other
 * failure makes another attempt.
 */
export async function sendLetter(place: JobPlace, personal: PersonalLetter): Promise<void> {
  if (!(await mayBeSent(place, personal))) return
  const { services, jobId, signal } = place
  const letter: Letter = {
    subject: subjectLine(personal.subject),
    preview: personal.words,
    heading: personal.heading,
    parts: [
      words(personal.words),
      ...(personal.link ? [{ kind: 'link' as const, ...personal.link }] : []),
      words(personal.after),
    ],
  }
  const message = {
    id: jobId,
    from: { name: SENDER.name, address: services.mail.from },
    to: personal.to,
    replyTo: null,
    subject: letter.subject,
    text: letterText(letter, SENDER),
    html: letterHtml(letter, SENDER),
    date: new Date().toISOString(),
  }
  try {
    // People are real, also those of a test account.
    await services.mail.providerFor({ test: false }).send(message, signal)
  } catch (error) {
    if (!(error instanceof MailRefusedError)) throw error
  }
}

/** Only the first attempt takes it: others are for the same letter. */
async function mayBeSent(place: JobPlace, { kind, to, taken }: PersonalLetter): Promise<boolean> {
  if (taken || place.attempt > 1) return true
  const refusal = await place.transaction((context) => takeLetter(context, { kind, to }), { inTurn: true })
  if (refusal) place.warn({ kind, refusal: refusal.message }, 'An e-mail was not sent')
  return refusal === null
}
