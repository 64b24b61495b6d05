import { MailRefusedError } from '../../../providers/mail/provider.ts'
import type { JobPlace } from '../../../records/job.ts'
import { takeLetter } from '../../messages/email/letter-budget.ts'
import type { LetterKind } from '../../messages/email/letter-kinds.ts'
import { letterHtml } from '../../messages/email/templates/html.ts'
import { type Letter, type Shop, subjectLine, words } from '../../messages/email/templates/letter.ts'
import { letterText } from '../../messages/email/templates/text.ts'

/** A message to a person about signing in. It holds a secret, so it is not stored as an e-mail that other members could read. */
export interface PersonalLetter {
  kind: LetterKind
  /** Whether the operation already counted it against the budget, so that it could refuse in its response. */
  taken?: boolean
  to: string
  subject: string
  heading: string
  words: string
  link?: { label: string; url: string }
  /** The paragraph after the link, or after `words` when there is no link. */
  after: string
}

const SENDER: Shop = {
  name: 'Shopwright',
  supportEmail: null,
  contact: 'ask an owner of the account or the operator of this service',
  timeZone: 'UTC',
}

/**
 * Sends a message unless the budget of its kind is used up. A message that the server permanently rejects is dropped; other failures are
 * retried.
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
    // The people of a test account are real, so their mail is too.
    await services.mail.providerFor({ test: false }).send(message, signal)
  } catch (error) {
    if (!(error instanceof MailRefusedError)) throw error
  }
}

/** Only the first attempt counts against the budget, since retries send the same message. */
async function mayBeSent(place: JobPlace, { kind, to, taken }: PersonalLetter): Promise<boolean> {
  if (taken || place.attempt > 1) return true
  const refusal = await place.transaction((context) => takeLetter(context, { kind, to }), { inTurn: true })
  if (refusal) place.warn({ kind, refusal: refusal.message }, 'An e-mail was not sent')
  return refusal === null
}
