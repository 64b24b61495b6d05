import type { Context } from '../../../records/context.ts'
import type { AccountRow } from '../../company/account/account.ts'
import { currentAccount } from '../../company/account/current.ts'
import { buyersShop, shopOf } from './buyers_shop.ts'
import type { EmailRow } from './email.ts'
import type { LetterKind } from './letter_kinds.ts'
import { queueAwaited, queueEmail } from './queue.ts'
import { addressConfirmationLetter } from './templates/address_confirmation.ts'
import { canceledLetter } from './templates/canceled.ts'
import { comingChargeLetter } from './templates/coming_charge.ts'
import { failedOrderLetter } from './templates/failed_order.ts'
import { failedRenewalLetter } from './templates/failed_renewal.ts'
import { formConfirmationLetter } from './templates/form_confirmation.ts'
import { formNoticeLetter } from './templates/form_notice.ts'
import { formationEndLetter } from './templates/formation_end.ts'
import { letterHtml } from './templates/html.ts'
import { invoiceLetter } from './templates/invoice.ts'
import type { Letter, Shop } from './templates/letter.ts'
import { addressChangedLetter } from './templates/new_address.ts'
import { paymentsStoppedLetter } from './templates/payments_stopped.ts'
import { plansWaitingLetter } from './templates/plans_waiting.ts'
import { type ReceiptData, receiptLetter } from './templates/receipt.ts'
import { refundedLetter } from './templates/refunded.ts'
import { taskFailureLetter } from './templates/task_failure.ts'
import { taskResultLetter } from './templates/task_result.ts'
import { teamNoticeLetter } from './templates/team_notice.ts'
import { letterText } from './templates/text.ts'

/** Who a message of the service goes to. */
export interface Recipient {
  /** The address, in the form that customers have it. */
  to: string
  /** Id of the customer whose address it is. */
  customer: string | null
  /** Who gets the answers; the account's support_email when absent. */
  replyTo?: string | undefined
  /** A person waits for it: over the budget of its kind it is refused with a 429. */
  awaited?: boolean
  /** Where a member stops such letters. */
  stopUrl?: string | undefined
}

type Template<Data> = (data: Data, shop: Shop) => Letter
type ShopFor = (context: Context, account: AccountRow, customer: string | null) => Promise<Shop>
/** Queues a letter of one kind. The operation or job that calls it needs `email.created` among what it emits. */
type Queue<Data> = (context: Context, recipient: Recipient, data: Data) => Promise<EmailRow>

export const queueReceipt: Queue<ReceiptData> = (context, recipient, data) =>
  letter(data.total === 0 ? 'free_receipt' : 'receipt', receiptLetter, buyersShop)(context, recipient, data)
export const queueFailedRenewal = letter('failed_renewal', failedRenewalLetter, buyersShop)
export const queueFailedOrder = letter('failed_order', failedOrderLetter, buyersShop)
export const queueRefunded = letter('buyer_notice', refundedLetter, buyersShop)
export const queueComingCharge = letter('buyer_notice', comingChargeLetter, buyersShop)
export const queueCanceled = letter('buyer_notice', canceledLetter, buyersShop)
export const queueInvoice = letter('invoice', invoiceLetter, buyersShop)
/** Asks the owner of an address to confirm what was entered in a form. */
export const queueConfirmation = letter('form_confirmation', formConfirmationLetter, buyersShop)
/** Goes to the address that the buyer had before. */
export const queueAddressChanged = letter('account_notice', addressChangedLetter, buyersShop)

export const queueTeamNotice = letter('team_notice', teamNoticeLetter)
/** Asks the owner of an address whether to tell it of submissions. */
export const queueAddressConfirmation = letter('address_confirmation', addressConfirmationLetter)
export const queueSubmissionNotice = letter('form_notice', formNoticeLetter)
export const queueTaskResult = letter('task_result', taskResultLetter)
export const queueTaskFailure = letter('task_result', taskFailureLetter)
export const queueFormationEnd = letter('account_notice', formationEndLetter)
export const queuePaymentsStopped = letter('account_notice', paymentsStoppedLetter)
export const queuePlansWaiting = letter('plans_waiting', plansWaitingLetter)

/** A letter for buyers names `buyersShop`: it looks like the shop, and leads to the page of purchases whoever has some. */
function letter<Data>(
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
