import { DAY_MS, laterBy } from '../../../contract/values/values.ts'
import type { Context } from '../../../records/context.ts'
import { findRow, insertRow } from '../../../records/records.ts'
import { Discount } from '../../catalog/discount/discount.ts'
import { isTarget } from '../checkout/discounts.ts'
import type { PricedLine } from '../checkout/line.ts'
import { asListed } from '../checkout/tax/apply.ts'
import { isInclusive, ratesFor } from '../checkout/tax/compute.ts'
import { placeOf, type TaxTerms } from '../checkout/tax/terms.ts'
import type { OrderRow } from '../order/order.ts'
import type { PaymentRow } from '../payment/payment.ts'
import { periodEnd } from './calendar.ts'
import { scheduleNext } from './schedule.ts'
import { Subscription, type SubscriptionRow } from './subscription.ts'
import { type DiscountTerms, discountTermsOf, type SubscriptionTerms } from './terms.ts'

interface SubscriptionStart {
  payment: PaymentRow
  order: OrderRow
  line: PricedLine
  /** Null without a discount, or if an earlier version of this service started the payment. */
  discountTerms: DiscountTerms | null
  /** Null if the buyer's country is not known. */
  tax: TaxTerms | null
}

/** Creates the subscription with a copy of the terms that were sold. The caller emits the event. */
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
