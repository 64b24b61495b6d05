import type { Context } from '../../../records/context.ts'
import type { AccountRow } from '../../company/account/account.ts'
import { currentAccount } from '../../company/account/current.ts'
import { buyersShop, shopOf } from './buyers-shop.ts'
import type { EmailRow } from './email.ts'
import type { LetterKind } from './letter-kinds.ts'
import { queueAwaited, queueEmail } from './queue.ts'
import { addressConfirmationLetter } from './templates/address-confirmation.ts'
import { canceledLetter } from './templates/canceled.ts'
import { comingChargeLetter } from './templates/coming-charge.ts'
import { failedOrderLetter } from './templates/failed-order.ts'
import { failedRenewalLetter } from './templates/failed-renewal.ts'
import { formConfirmationLetter } from './templates/form-confirmation.ts'
import { formNoticeLetter } from './templates/form-notice.ts'
import { letterHtml } from './templates/html.ts'
import { invoiceLetter } from './templates/invoice.ts'
import type { Letter, Shop } from './templates/letter.ts'
import { addressChangedLetter } from './templates/new-address.ts'
import { paymentsStoppedLetter } from './templates/payments-stopped.ts'
import { plansWaitingLetter } from './templates/plans-waiting.ts'
import { type ReceiptData, receiptLetter } from './templates/receipt.ts'
import { refundedLetter } from './templates/refunded.ts'
import { taskFailureLetter } from './templates/task-failure.ts'
import { taskResultLetter } from './templates/task-result.ts'
import { teamNoticeLetter } from './templates/team-notice.ts'
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
