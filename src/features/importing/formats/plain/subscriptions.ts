import { SUBSCRIPTION_COLUMNS } from '../../../../resources/dashboard/account-export/csv-columns.ts'
import { MAX_NAME } from '../drafts.ts'
import { format } from '../format.ts'
import { readMetadata } from './metadata.ts'

const STATUSES = ['active', 'trialing', 'past_due', 'unpaid', 'incomplete', 'paused', 'canceled'] as const

/** Our own subscription format. Imported subscriptions are paused, because their former processor may still charge them. */
export const plainSubscriptions = format<'subscriptions'>({
  kind: 'subscriptions',
  name: 'subscriptions',
  needs: ['customer_email', 'unit_amount', 'interval', 'current_period_end'],
  reads: SUBSCRIPTION_COLUMNS,
  draft([row], read) {
    const sourceId = read.required(row, 'id')
    const status = read.oneOf(row, 'status', STATUSES) ?? 'active'
    if (status === 'incomplete') return { leftOut: 'was never used' }
    const currency = read.currency(row, 'currency')
    const unit_amount = read.amount(row, 'unit_amount', currency)
    const interval = read.oneOf(row, 'interval', ['day', 'week', 'month', 'year'])
    const end = read.moment(row, 'current_period_end')
    const started_at = read.moment(row, 'started_at') ?? read.moment(row, 'created_at')
    const email = read.email(row, 'customer_email')
    const ends_at = read.moment(row, 'ends_at')
    const country = read.country(row, 'country')
    if (read.problems.length === 0) {
      if (email === null) read.refuse(row, 'customer_email', 'is empty, and subscriptions belong to customers')
      if (unit_amount === null) read.refuse(row, 'unit_amount', 'is empty, and is needed')
      if (interval === null) read.refuse(row, 'interval', 'is empty; it is one of day, week, month, year')
      if (end === null) read.refuse(row, 'current_period_end', 'is empty, and is needed')
      if (started_at === null) read.refuse(row, 'started_at', 'is empty, and so is created_at')
    }
    const more = {
      ...{ interval_count: read.whole(row, 'interval_count', { min: 1, max: 1095 }) ?? 1 },
      ...{ quantity: read.whole(row, 'quantity', { min: 1, max: 10_000 }) ?? 1 },
      installment_count: read.whole(row, 'installment_count', { min: 2, max: 1000 }),
      ...{ trial_ends_at: read.moment(row, 'trial_ends_at'), canceled_at: read.moment(row, 'canceled_at') },
      cancellation_reason: read.text(row, 'cancellation_reason', 500),
      ...{ country, region: read.region(row, 'region', country), vat_id: read.vatId(row, 'vat_id') },
      metadata: readMetadata(row, read),
    }
    if (read.problems.length > 0 || unit_amount === null || !interval || !started_at || !end) return null
    const goesOn = status !== 'canceled' && ends_at === null
    const price = read.text(row, 'price_id')
    return {
      ...{ sourceId, started_at, currency, unit_amount, interval },
      createdAt: read.moment(row, 'created_at') ?? started_at,
      buyer: { email, sourceId: null, name: read.text(row, 'customer_name') },
      ...{ keys: price === null ? [] : [`price:${price}`], goesOn, ...more },
      product_name: read.text(row, 'product_name', MAX_NAME) ?? 'Subscription',
      price_variant_name: read.text(row, 'price_name', MAX_NAME) ?? 'Default',
      ...{ current_period_start: read.moment(row, 'current_period_start') ?? started_at, current_period_end: end },
      ends_at: goesOn ? null : (ends_at ?? end),
    }
  },
})
