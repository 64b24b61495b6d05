import { laterBy } from '../../../contract/values/values.ts'
import type { Context, Enqueueable } from '../../../records/context.ts'
import { changeRow, findRow, insertRow, requireRow } from '../../../records/records.ts'
import { Discount } from '../../catalog/discount/discount.ts'
import { noteForTeam } from '../../messages/email/team/choices.ts'
import { isTarget } from '../checkout/discounts.ts'
import type { PricedLine } from '../checkout/line.ts'
import { asListed } from '../checkout/tax/apply.ts'
import { isInclusive, ratesFor } from '../checkout/tax/compute.ts'
import { placeOf, type TaxTerms } from '../checkout/tax/terms.ts'
import type { OrderRow } from '../order/order.ts'
import type { PaymentRow } from '../payment/payment.ts'
import { periodEnd } from './calendar.ts'
import { closeOpenCheckout } from './checkouts.ts'
import { isPaidUp, nextPeriod } from './period.ts'
import { continueAccessTo } from './resume.ts'
import { scheduleNext } from './schedule.ts'
import { Subscription, type SubscriptionRow } from './subscription.ts'
import { type DiscountTerms, discountTermsOf, type SubscriptionTerms } from './terms.ts'

const DAY_MS = 24 * 60 * 60 * 1000

interface SubscriptionStart {
  payment: PaymentRow
  order: OrderRow
  line: PricedLine
  /** Null without a discount, or if an earlier version of this service started the payment. */
  discountTerms: DiscountTerms | null
  /** Null if the buyer's country is not known. */
  tax: TaxTerms | null
}

/** Copies the terms that were sold. The caller emits the event. */
export async function startSubscription(
  context: Context,
  { payment, order, line, discountTerms, tax }: SubscriptionStart,
): Promise<SubscriptionRow> {
  const terms = termsOf(line, tax, discountTerms ?? (await presentTerms(context, order.discount, line)))
  const trialDays = line.recurring!.trial_period_days
  const trial_ends_at = trialDays === null ? null : laterBy(context.now, trialDays * DAY_MS)
  const subscription = await insertRow(context, Subscription, {
    status: trial_ends_at === null ? 'active' : 'trialing',
    ...{ customer: order.customer, order: order.id, discount: order.discount, currency: order.currency },
    ...{ price_variant: line.price_variant, product: line.product, quantity: line.quantity },
    amount: terms.unit_amount * line.quantity,
    ...placeOf(order),
    ...{ canceled: false, paused: false, terms, trial_ends_at },
    anchor: trial_ends_at === null ? context.now : null,
    first_charged_at: trial_ends_at === null ? context.now : null,
    periods: trial_ends_at === null ? 1 : 0,
    payments_count: trial_ends_at === null ? 1 : 0,
    current_period_start: context.now,
    current_period_end: trial_ends_at ?? periodEnd(context.now, terms, 1),
    ...{ provider: payment.provider, method: payment.method, metadata: order.metadata },
  })
  return scheduleNext(context, subscription)
}

function termsOf(line: PricedLine, tax: TaxTerms | null, discount: DiscountTerms | null): SubscriptionTerms {
  const { interval, interval_count, installment_count } = line.recurring!
  const { product_name, price_variant_name, revoke_after_days } = line
  return {
    ...{ interval, interval_count, installment_count, revoke_after_days, product_name, price_variant_name },
    unit_amount: asListed(line).unit_amount!,
    tax_code: line.tax_code ?? null,
    tax_added: isAdded(line, tax),
    discount,
  }
}

function isAdded(line: PricedLine, tax: TaxTerms | null): boolean {
  const rates = tax ? ratesFor(tax.rates, line.tax_code) : []
  return rates.length > 0 && !isInclusive(rates)
}

async function presentTerms(context: Context, id: string | null, line: PricedLine): Promise<DiscountTerms | null> {
  const discount = id === null ? undefined : await findRow(context, Discount, id)
  return discount && isTarget(discount, line) ? discountTermsOf(discount) : null
}

/** Starts the paid period. The payment is always still wanted, because other actions end a payment in progress first. */
export async function periodPaid(context: Context, payment: PaymentRow, order: OrderRow): Promise<void> {
  const subscription = await requireRow(context, Subscription, payment.subscription!)
  const begun = await beginPeriod(context, subscription, methodOf(subscription, payment))
  await continueAccessTo(context, begun, order.id)
  await closeOpenCheckout(context, begun.id, payment.checkout)
  context.emit(Subscription, 'renewed', await scheduleNext(context, begun))
}

async function beginPeriod(
  context: Context,
  subscription: SubscriptionRow,
  method: Pick<SubscriptionRow, 'provider' | 'method'>,
): Promise<SubscriptionRow> {
  const period = nextPeriod(subscription, context.now)
  const payments_count = subscription.payments_count + 1
  return changeRow(context, Subscription, subscription, {
    ...period,
    ...method,
    payments_count,
    status: 'active',
    first_charged_at: subscription.first_charged_at ?? period.current_period_start,
    ends_at: isPaidUp({ terms: subscription.terms, payments_count }) ? period.current_period_end : null,
    ...{ unpaid_since: null, held_since: null, due_since: null, amount_due: null, failed_payments_count: 0 },
    ...{ last_payment_error: null, last_payment_error_code: null },
    paying: null,
  })
}

/** Later charges use the card that the buyer has just entered, or else the saved card, which may have changed meanwhile. */
function methodOf({ provider, method }: SubscriptionRow, payment: PaymentRow) {
  const isEntered = payment.checkout !== null && payment.method !== null
  return isEntered ? { provider: payment.provider, method: payment.method } : { provider, method }
}

/** Only the name of the job is declared here, because the file with its work imports this file. */
export const ASK_TO_PAY: Enqueueable<{ subscription: string; order: string }> = { name: 'subscription.ask_to_pay' }

/** Schedules the next attempt after a failed charge, and the e-mail to the buyer. */
export async function renewalFailed(context: Context, payment: PaymentRow): Promise<void> {
  const subscription = await requireRow(context, Subscription, payment.subscription!)
  // The payment was given up by an action on the subscription, so its failure changes nothing.
  if (subscription.paying !== payment.id) return
  const status = subscription.status === 'unpaid' ? 'unpaid' : 'past_due'
  const unpaid = await changeRow(context, Subscription, subscription, {
    status,
    unpaid_since: subscription.unpaid_since ?? subscription.due_since ?? subscription.current_period_end,
    paying: null,
    ...whyFailed(subscription, payment),
  })
  const scheduled = await scheduleNext(context, unpaid)
  if (status !== subscription.status) context.emit(Subscription, 'past_due', scheduled)
  if (!payment.by_hand) await noteForTeam(context, 'failed_payments')
  const asked = { subscription: subscription.id, order: payment.order_id }
  if (payment.checkout === null && !payment.by_hand) await context.enqueue(ASK_TO_PAY, asked)
}

function whyFailed({ failed_payments_count }: SubscriptionRow, payment: PaymentRow) {
  return {
    amount_due: payment.amount,
    failed_payments_count: failed_payments_count + 1,
    last_payment_error: payment.failure_message,
    last_payment_error_code: payment.failure_code,
  }
}
