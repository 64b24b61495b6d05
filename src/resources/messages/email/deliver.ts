import { MailRefusedError, type Message } from '../../../providers/mail/provider.ts'
import { type JobContext, job } from '../../../records/job.ts'
import { changeRow, findRow, findRows, requireRow } from '../../../records/records.ts'
import { Email, type EmailRow } from './email.ts'

/** The maximum number of attempts, which take about a day with pauses that double up to an hour. */
const MOST_ATTEMPTS = 35
const GIVEN_UP = 'For a day, the mail server could not be reached or accepted no messages.'

interface DeliverPayload {
  email: string
  /** The reason not to send the e-mail at all. */
  refusal?: string | undefined
}

/** A retry after a crash sends the e-mail again with the same Message-ID. */
export const deliverEmail = job<DeliverPayload>('deliver_email', {
  emits: ['email.sent', 'email.failed'],
  attempts: MOST_ATTEMPTS,
  async foresee(context, deliveries) {
    const sent = deliveries.filter(({ refusal }) => refusal === undefined).map(({ email }) => email)
    return [...(await findRows(context, Email, sent)).values()].map(({ to }) => ({ kind: 'email', to }))
  },
  async work(job, { email: id, refusal }) {
    const found = await find(job, id)
    if (!found) return
    if (refusal !== undefined) job.warn({ email: id, refusal }, 'An e-mail was not sent')
    await settle(job, id, refusal ?? (await attempt(job, found)))
  },
})

interface QueuedEmail {
  email: EmailRow
  test: boolean
}

/** Returns null if another attempt has sent the e-mail or recorded its failure. */
function find(job: JobContext, id: string): Promise<QueuedEmail | null> {
  return job.read(async (context) => {
    const email = await findRow(context, Email, id)
    return email?.status === 'queued' ? { email, test: context.test } : null
  })
}

/** Returns null on success, or the message of a permanent error. Rejects for errors that justify a retry. */
async function attempt(
  { services, signal, attempt }: JobContext,
  { email, test }: QueuedEmail,
): Promise<string | null> {
  if (attempt > MOST_ATTEMPTS) return GIVEN_UP
  try {
    await services.mail.providerFor({ test }).send(messageOf(email), signal)
    return null
  } catch (error) {
    if (error instanceof MailRefusedError) return error.message
    if (attempt < MOST_ATTEMPTS) throw error
    return GIVEN_UP
  }
}

/** Records the outcome and deletes the bodies, which are no longer needed. */
function settle({ finish }: JobContext, id: string, problem: string | null): Promise<void> {
  return finish(async (context) => {
    const email = await requireRow(context, Email, id)
    const bodies = { html: null, text: null }
    const outcome =
      problem === null
        ? { status: 'sent' as const, sent_at: context.now }
        : { status: 'failed' as const, error_message: problem }
    context.emit(Email, outcome.status, await changeRow(context, Email, email, { ...bodies, ...outcome }))
  })
}

function messageOf(email: EmailRow): Message {
  const { id, to, subject, text, html, reply_to, from_name, from_address, stop_url, created_at } = email
  return {
    id,
    from: { name: from_name, address: from_address },
    to,
    replyTo: reply_to,
    subject,
    text,
    html,
    stopUrl: stop_url,
    date: created_at,
  }
}
