import { MailRefusedError } from '../../../providers/mail/provider.ts'
import type { JobContext } from '../../../records/job.ts'
import { currentAccount } from '../../company/account/current.ts'
import { buyersShop } from './buyers-shop.ts'
import { type LetterRequest, takeLetter } from './letter-budget.ts'
import { letterHtml } from './templates/html.ts'
import type { Letter, Shop } from './templates/letter.ts'
import { letterText } from './templates/text.ts'

/** Sends a letter that is not stored, because members could read it. It is dropped if a limit is exceeded or the server refuses it. */
export async function sendSecretLetter(
  job: JobContext,
  intended: LetterRequest,
  write: (shop: Shop) => Letter,
): Promise<void> {
  const begun = await job.transaction(
    async (context) => {
      const account = await currentAccount(context)
      // Retries send the same letter, so only the first attempt counts against the limit.
      const refusal = job.attempt > 1 ? null : await takeLetter(context, intended)
      const shop = await buyersShop(context, account, null)
      return { shop, refusal, test: context.test }
    },
    { inTurn: true },
  )
  if (begun.refusal) return job.warn({ kind: intended.kind, refusal: begun.refusal.message }, 'An e-mail was not sent')
  const { shop } = begun
  const letter = write(shop)
  const message = {
    id: job.jobId,
    from: { name: shop.name, address: job.services.mail.from },
    ...{ to: intended.to, replyTo: shop.supportEmail, subject: letter.subject, date: new Date().toISOString() },
    text: letterText(letter, shop),
    html: letterHtml(letter, shop),
  }
  try {
    await job.services.mail.providerFor({ test: begun.test }).send(message, job.signal)
  } catch (error) {
    if (!(error instanceof MailRefusedError)) throw error
  }
}
