import type { Context } from '../../../records/context.ts'
import type { AccountRow } from '../../company/account/account.ts'
import { currentAccount } from '../../company/account/current.ts'
import { buyersShop, shopOf } from './buyers_shop.ts'
import type { EmailRow } from './email.ts'
import type { LetterKind } from './letter_kinds.ts'
import { queueAwaited, queueEmail } from './queue.ts'
import { type AddressConfirmationData, addressConfirmationLetter } from './templates/address_confirmation.ts'
import { type CanceledData, canceledLetter } from './templates/canceled.ts'
import { type ComingChargeData, comingChargeLetter } from './templates/coming_charge.ts'
import { type FailedOrderData, failedOrderLetter } from './templates/failed_order.ts'
import { type FailedRenewalData, failedRenewalLetter } from './templates/failed_renewal.ts'
import { type FormConfirmationData, formConfirmationLetter } from './templates/form_confirmation.ts'
import { type FormNoticeData, formNoticeLetter } from './templates/form_notice.ts'
import { type FormationEndData, formationEndLetter } from './templates/formation_end.ts'
import { letterHtml } from './templates/html.ts'
import { type InvoiceData, invoiceLetter } from './templates/invoice.ts'
import type { Letter, Shop } from './templates/letter.ts'
import { type AddressChangedData, addressChangedLetter } from './templates/new_address.ts'
import { type PaymentsStoppedData, paymentsStoppedLetter } from './templates/payments_stopped.ts'
import { type PlansWaitingData, plansWaitingLetter } from './templates/plans_waiting.ts'
import { type ReceiptData, receiptLetter } from './templates/receipt.ts'
import { type RefundedData, refundedLetter } from './templates/refunded.ts'
import { type TaskFailureData, taskFailureLetter } from './templates/task_failure.ts'
import { type TaskResultData, taskResultLetter } from './templates/task_result.ts'
import { type TeamNoticeData, teamNoticeLetter } from './templates/team_notice.ts'
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

type Queued = Promise<EmailRow>
type Write = (shop: Shop) => Letter

/** Tells a buyer what was bought and paid. Like the others, it needs `email.created` among what the operation or job emits. */
export function queueReceipt(context: Context, recipient: Recipient, data: ReceiptData): Queued {
  return queueBuyerLetter(context, { ...recipient, kind: data.total === 0 ? 'free_receipt' : 'receipt' }, (shop) =>
    receiptLetter(data, shop),
  )
}

/** Tells a subscriber that a payment failed, with the page where it can be paid. */
export function queueFailedRenewal(context: Context, recipient: Recipient, data: FailedRenewalData): Queued {
  return queueBuyerLetter(context, { ...recipient, kind: 'failed_renewal' }, (shop) => failedRenewalLetter(data, shop))
}

/** Offers a buyer again what could not be paid. */
export function queueFailedOrder(context: Context, recipient: Recipient, data: FailedOrderData): Queued {
  return queueBuyerLetter(context, { ...recipient, kind: 'failed_order' }, (shop) => failedOrderLetter(data, shop))
}

/** Tells a buyer what was given back. */
export function queueRefunded(context: Context, recipient: Recipient, data: RefundedData): Queued {
  return queueBuyerLetter(context, { ...recipient, kind: 'buyer_notice' }, (shop) => refundedLetter(data, shop))
}

/** Tells a subscriber what will be charged, and when. */
export function queueComingCharge(context: Context, recipient: Recipient, data: ComingChargeData): Queued {
  return queueBuyerLetter(context, { ...recipient, kind: 'buyer_notice' }, (shop) => comingChargeLetter(data, shop))
}

/** Confirms to a subscriber that a subscription is canceled, or tells that it has ended. */
export function queueCanceled(context: Context, recipient: Recipient, data: CanceledData): Queued {
  return queueBuyerLetter(context, { ...recipient, kind: 'buyer_notice' }, (shop) => canceledLetter(data, shop))
}

/** Tells somebody of the team what has happened in the shop. */
export function queueTeamNotice(context: Context, recipient: Recipient, data: TeamNoticeData): Queued {
  return queueLetter(context, { ...recipient, kind: 'team_notice' }, (shop) => teamNoticeLetter(data, shop))
}

/** Sends an invoice, with the page where it can be paid. */
export function queueInvoice(context: Context, recipient: Recipient, data: InvoiceData): Queued {
  return queueBuyerLetter(context, { ...recipient, kind: 'invoice' }, (shop) => invoiceLetter(data, shop))
}

/** Asks the owner of an address to confirm what was entered in a form. */
export function queueConfirmation(context: Context, recipient: Recipient, data: FormConfirmationData): Queued {
  return queueBuyerLetter(context, { ...recipient, kind: 'form_confirmation' }, (shop) =>
    formConfirmationLetter(data, shop),
  )
}

/** Asks the owner of an address whether to tell it of submissions. */
export function queueAddressConfirmation(
  context: Context,
  recipient: Recipient,
  data: AddressConfirmationData,
): Queued {
  const kind = 'address_confirmation'
  return queueLetter(context, { ...recipient, kind }, (shop) => addressConfirmationLetter(data, shop))
}

/** Tells somebody who looks after a form what was submitted. */
export function queueSubmissionNotice(context: Context, recipient: Recipient, data: FormNoticeData): Queued {
  return queueLetter(context, { ...recipient, kind: 'form_notice' }, (shop) => formNoticeLetter(data, shop))
}

/** Tells the user who wrote a task what came of a run, or what it asks. */
export function queueTaskResult(context: Context, recipient: Recipient, data: TaskResultData): Queued {
  return queueLetter(context, { ...recipient, kind: 'task_result' }, () => taskResultLetter(data))
}

/** Tells whoever answers for a task that a run of it failed. */
export function queueTaskFailure(context: Context, recipient: Recipient, data: TaskFailureData): Queued {
  return queueLetter(context, { ...recipient, kind: 'task_result' }, () => taskFailureLetter(data))
}

/** Tells a founder how the filing of a company ended. */
export function queueFormationEnd(context: Context, recipient: Recipient, data: FormationEndData): Queued {
  return queueLetter(context, { ...recipient, kind: 'account_notice' }, () => formationEndLetter(data))
}

/** Tells somebody who may change it that a payment provider no longer takes the account's key. */
export function queuePaymentsStopped(context: Context, recipient: Recipient, data: PaymentsStoppedData): Queued {
  return queueLetter(context, { ...recipient, kind: 'account_notice' }, () => paymentsStoppedLetter(data))
}

/** Tells a buyer, at the address before, that the address was changed. */
export function queueAddressChanged(context: Context, recipient: Recipient, data: AddressChangedData): Queued {
  return queueBuyerLetter(context, { ...recipient, kind: 'account_notice' }, (shop) => addressChangedLetter(data, shop))
}

/** Tells somebody who may decide on plans that some wait. */
export function queuePlansWaiting(context: Context, recipient: Recipient, data: PlansWaitingData): Queued {
  return queueLetter(context, { ...recipient, kind: 'plans_waiting' }, (shop) => plansWaitingLetter(data, shop))
}

/** A letter to somebody who buys: it looks like the shop, and leads to the page of purchases whoever has some. */
function queueBuyerLetter(context: Context, recipient: Recipient & { kind: LetterKind }, write: Write): Queued {
  return queueLetter(context, recipient, write, (account) => buyersShop(context, account, recipient.customer))
}

async function queueLetter(
  context: Context,
  { awaited = false, ...recipient }: Recipient & { kind: LetterKind },
  write: Write,
  shopFor: (account: AccountRow) => Promise<Shop> = async (account) => shopOf(account),
): Queued {
  const { stopUrl } = recipient
  const compose = async (account: AccountRow) => {
    const shop = await shopFor(account)
    const letter = write(shop)
    const written = { ...shop, ...(stopUrl !== undefined && { stopUrl }) }
    const bodies = { html: letterHtml(letter, written), text: letterText(letter, written) }
    return { subject: letter.subject, ...bodies, kept: { letter, shop } }
  }
  if (!awaited) return queueEmail(context, recipient, compose)
  return queueAwaited(context, { ...recipient, ...(await compose(await currentAccount(context))) })
}
