import { type Color, isColor, readableOn, textOn } from '../../../contract/values/colors.ts'
import { only } from '../../../errors.ts'
import { MailRefusedError } from '../../../providers/mail/provider.ts'
import type { Context } from '../../../records/context.ts'
import type { JobContext } from '../../../records/job.ts'
import { findRow } from '../../../records/records.ts'
import type { AccountRow } from '../../company/account/account.ts'
import { FONT_STACKS, wholeBranding } from '../../company/account/brand.ts'
import { currentAccount } from '../../company/account/current.ts'
import { storefrontOf } from '../../content/domain-names.ts'
import { fileUrl } from '../../content/file/addresses.ts'
import { File } from '../../content/file/file.ts'
import { isForBuyers } from '../../content/file/uses.ts'
import type { EmailRow } from './email.ts'
import { type LetterRequest, takeLetter } from './letter-budget.ts'
import type { LetterKind } from './letter-kinds.ts'
import { queueAwaited, queueEmail } from './queue.ts'
import { addressChangedLetter } from './templates/buyers-address.ts'
import { addressConfirmationLetter, formConfirmationLetter, formNoticeLetter } from './templates/forms.ts'
import { letterHtml, PAPERS, USUAL } from './templates/html.ts'
import type { Brand, Letter, Shop } from './templates/letter.ts'
import { failedOrderLetter, invoiceLetter, refundedLetter } from './templates/orders.ts'
import { type ReceiptData, receiptLetter } from './templates/receipt.ts'
import { canceledLetter, comingChargeLetter, failedRenewalLetter } from './templates/subscriptions.ts'
import { taskFailureLetter, taskResultLetter } from './templates/tasks.ts'
import { paymentsStoppedLetter, plansWaitingLetter, teamNoticeLetter } from './templates/team.ts'
import { letterText } from './templates/text.ts'

export interface Recipient {
  /** Normalized like the addresses of customers. */
  to: string
  customer: string | null
  /** Defaults to the account's support_email. */
  replyTo?: string | undefined
  /** Whether the response waits for the letter; if so, the call throws a 429 when a limit is exceeded. */
  awaited?: boolean
  stopUrl?: string | undefined
}

type Template<Data> = (data: Data, shop: Shop) => Letter
type ShopFor = (context: Context, account: AccountRow, customer: string | null) => Promise<Shop>
/** Queues an e-mail. An operation that does so must list `email.created` among the events that it `emits`. */
type Queue<Data> = (context: Context, recipient: Recipient, data: Data) => Promise<EmailRow>

export const queueReceipt: Queue<ReceiptData> = (context, recipient, data) =>
  letter(data.total === 0 ? 'free_receipt' : 'receipt', receiptLetter, buyersShop)(context, recipient, data)
export const queueFailedRenewal = letter('failed_renewal', failedRenewalLetter, buyersShop)
export const queueFailedOrder = letter('failed_order', failedOrderLetter, buyersShop)
export const queueRefunded = letter('buyer_notice', refundedLetter, buyersShop)
export const queueComingCharge = letter('buyer_notice', comingChargeLetter, buyersShop)
export const queueCanceled = letter('buyer_notice', canceledLetter, buyersShop)
export const queueInvoice = letter('invoice', invoiceLetter, buyersShop)
export const queueConfirmation = letter('form_confirmation', formConfirmationLetter, buyersShop)
/** Notifies a buyer's previous address that it was replaced. */
export const queueAddressChanged = letter('account_notice', addressChangedLetter, buyersShop)

export const queueTeamNotice = letter('team_notice', teamNoticeLetter)
export const queueAddressConfirmation = letter('address_confirmation', addressConfirmationLetter)
export const queueSubmissionNotice = letter('form_notice', formNoticeLetter)
export const queueTaskResult = letter('task_result', taskResultLetter)
export const queueTaskFailure = letter('task_result', taskFailureLetter)
export const queuePaymentsStopped = letter('account_notice', paymentsStoppedLetter)
export const queuePlansWaiting = letter('plans_waiting', plansWaitingLetter)

/** For buyers, `shopFor` is `buyersShop`, which adds the branding and the purchases URL. */
export function letter<Data>(
  kind: LetterKind,
  template: Template<Data>,
  shopFor: ShopFor = async (_, account) => shopOf(account),
): Queue<Data> {
  return async (context, { awaited = false, ...recipient }, data) => {
    const { stopUrl } = recipient
    const compose = async (account: AccountRow) => {
      const shop = await shopFor(context, account, recipient.customer)
      const written = template(data, shop)
      const reader = { ...shop, ...(stopUrl !== undefined && { stopUrl }) }
      const bodies = { html: letterHtml(written, reader), text: letterText(written, reader) }
      return { subject: written.subject, ...bodies, kept: { letter: written, shop } }
    }
    const intended = { ...recipient, kind }
    if (!awaited) return queueEmail(context, intended, compose)
    return queueAwaited(context, { ...intended, ...(await compose(await currentAccount(context))) })
  }
}

export function shopOf({ name, support_email: supportEmail, timezone: timeZone }: AccountRow): Shop {
  return { name, supportEmail, timeZone }
}

/** Adds the branding and, for a customer, the URL of the page with all purchases. */
export async function buyersShop(context: Context, account: AccountRow, customer: string | null): Promise<Shop> {
  const brand = await letterBrandOf(context, account)
  const purchasesUrl = `${storefrontOf(context, account)}/access`
  return { ...shopOf(account), ...(brand && { brand }), ...(customer !== null && { purchasesUrl }) }
}

/** The colors are readable on light and dark screens. Null if the shop has no branding. */
async function letterBrandOf(context: Context, account: AccountRow): Promise<Brand | null> {
  const { logo_file, color, font } = wholeBranding(account)
  if (logo_file === null && color === null && font === 'system') return null
  const logo = logo_file === null ? null : await logoUrl(context, logo_file)
  const tones = color === null || !isColor(color) ? USUAL : tonesOf(color)
  return { ...tones, font: font === 'system' ? null : FONT_STACKS[font], logo }
}

function tonesOf(color: Color): Pick<Brand, 'light' | 'dark'> {
  const [link, onDark] = [readableOn(color, PAPERS.light), readableOn(color, PAPERS.dark)]
  return {
    light: { button: color, onButton: textOn(color), link },
    dark: { button: onDark, onButton: textOn(onDark), link: onDark },
  }
}

const SHOWN = /^image\/(png|jpeg|gif|webp)$/

/** Returns null if mail clients cannot display the image or it is for buyers only. */
async function logoUrl(context: Context, id: string): Promise<string | null> {
  const file = await findRow(context, File, id)
  if (!file || !SHOWN.test(file.detected_type ?? '') || (await isForBuyers(context, file))) return null
  return fileUrl(context, file)
}

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
  const sent = job.services.mail.providerFor({ test: begun.test }).send(message, job.signal)
  await sent.catch(only(MailRefusedError, () => {}))
}
