import { only } from '../../../errors.ts'
import { MailRefusedError } from '../../../providers/mail/provider.ts'
import type { JobContext } from '../../../records/job.ts'
import { takeLetter } from '../../messages/email/letter-budget.ts'
import type { LetterKind } from '../../messages/email/letter-kinds.ts'
import { letterHtml } from '../../messages/email/templates/html.ts'
import { type Letter, type Shop, subjectLine, words } from '../../messages/email/templates/letter.ts'
import { letterText } from '../../messages/email/templates/text.ts'

/** An e-mail about signing in. It contains a secret, so it is not stored where other members could read it. */
export interface PersonalLetter {
  kind: LetterKind
  /** Whether the operation has already counted the e-mail against the rate limit, so that the job does not count it again. */
  taken?: boolean
  to: string
  heading: string
  /** Default: the heading. */
  subject?: string
  words: string
  link?: { label: string; url: string }
  /** The paragraph after the link, or after `words` if there is no link. */
  after: string
}

const SENDER: Shop = {
  name: 'Shopwright',
  supportEmail: null,
  contact: 'ask an owner of the account or the operator of this service',
  timeZone: 'UTC',
}

/** Sends an e-mail unless its rate limit is exceeded. A permanent refusal by the mail server drops it; other failures reject. */
export async function sendLetter(job: JobContext, personal: PersonalLetter): Promise<void> {
  if (!(await mayBeSent(job, personal))) return
  const { services, jobId, signal } = job
  const letter: Letter = {
    subject: subjectLine(personal.subject ?? personal.heading),
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
  // The members of a test account are real people, so their e-mails are really sent.
  const sent = services.mail.providerFor({ test: false }).send(message, signal)
  await sent.catch(only(MailRefusedError, () => {}))
}

/** Only the first attempt counts against the rate limits, because retries send the same e-mail. */
async function mayBeSent(job: JobContext, { kind, to, taken }: PersonalLetter): Promise<boolean> {
  if (taken || job.attempt > 1) return true
  const refusal = await job.transaction((context) => takeLetter(context, { kind, to }), { inTurn: true })
  if (refusal) job.warn({ kind, refusal: refusal.message }, 'An e-mail was not sent')
  return refusal === null
}
