import { MAX_NAME } from '../drafts.ts'
import { format } from '../format.ts'
import { INTERVALS } from './products.ts'

const ID = 'id'
const CUSTOMER = 'Customer ID'
const EMAIL = 'Customer Email'
const NAME = ['Customer Name', 'Customer Description'] as const
const PLAN = ['Plan', 'Price'] as const
const PRODUCT = ['Product', 'Product ID'] as const
const PRODUCT_NAME = 'Product Name'
const QUANTITY = 'Quantity'
const CURRENCY = 'Currency'
const INTERVAL = 'Interval'
const INTERVAL_COUNT = 'Interval Count'
const AMOUNT = 'Amount'
const STATUS = 'Status'
const CREATED = 'Created (UTC)'
const START = ['Start Date (UTC)', 'Start (UTC)', CREATED] as const
const PERIOD_START = 'Current Period Start (UTC)'
const PERIOD_END = 'Current Period End (UTC)'
const TRIAL_END = 'Trial End (UTC)'
const CANCELED_AT = 'Canceled At (UTC)'
const ENDED_AT = 'Ended At (UTC)'
const AT_PERIOD_END = 'Cancel At Period End'
const REASON = 'Cancellation Reason'
const COUPON = 'Coupon'
const METADATA_COLUMNS = { stripe_id: ID, stripe_status: STATUS, coupon: COUPON } as const

const STATUSES = [
  'active',
  'trialing',
  'past_due',
  'unpaid',
  'paused',
  'canceled',
  'incomplete',
  'incomplete_expired',
] as const
const ENDED = ['canceled', 'incomplete', 'incomplete_expired']

/** Stripe's subscription export. Imported subscriptions are paused, because Stripe charges them until they are canceled there. */
export const stripeSubscriptions = format<'subscriptions'>({
  kind: 'subscriptions',
  name: 'subscriptions',
  needs: [ID, CUSTOMER, PLAN, STATUS, PERIOD_END],
  reads: [
    ...[ID, CUSTOMER, EMAIL, NAME, PLAN, PRODUCT, PRODUCT_NAME, QUANTITY, CURRENCY, INTERVAL, INTERVAL_COUNT, AMOUNT],
    ...[STATUS, CREATED, START, PERIOD_START, PERIOD_END, TRIAL_END, CANCELED_AT, ENDED_AT, AT_PERIOD_END, REASON],
    COUPON,
  ],
  leavesOut: ['Trial Start (UTC)', 'Application Fee Percent', 'Tax Percent', 'Collection Method', 'Days Until Due'],
  draft([row], read) {
    const sourceId = read.required(row, ID)
    const status = read.oneOf(row, STATUS, STATUSES)
    if (status?.startsWith('incomplete')) return { leftOut: 'was never paid at Stripe' }
    const currency = read.currency(row, CURRENCY)
    const unit_amount = read.amount(row, AMOUNT, currency)
    const interval = read.oneOf(row, INTERVAL, INTERVALS)
    const moment = (column: typeof START | string) => read.moment(row, column, 'UTC')
    const [started_at, start, end] = [moment(START), moment(PERIOD_START), moment(PERIOD_END)]
    const buyer = { email: read.email(row, EMAIL), sourceId: read.text(row, CUSTOMER), name: read.text(row, NAME) }
    if (read.problems.length === 0) {
      if (status === null) read.refuse(row, STATUS, 'is empty, and is needed')
      if (unit_amount === null) read.refuse(row, AMOUNT, 'is empty: what is charged by use cannot go on here')
      if (interval === null) read.refuse(row, INTERVAL, 'is empty; it is one of day, week, month, year')
      if (started_at === null) read.refuse(row, CREATED, 'is empty, and is needed')
      if (end === null) read.refuse(row, PERIOD_END, 'is empty, and is needed')
    }
    if (read.text(row, COUPON) !== null)
      read.note(
        row,
        COUPON,
        'is not taken: the amount is what is charged without it; make a discount here, or another price',
      )
    const leaves = read.flag(row, AT_PERIOD_END) === true
    const ended = moment(ENDED_AT)
    const goesOn = !ENDED.includes(status ?? '') && !leaves
    const dates = {
      ...{ trial_ends_at: moment(TRIAL_END), canceled_at: moment(CANCELED_AT) },
      interval_count: read.whole(row, INTERVAL_COUNT, { min: 1, max: 1095 }) ?? 1,
      quantity: read.whole(row, QUANTITY, { min: 1, max: 10_000 }) ?? 1,
      cancellation_reason: read.text(row, REASON, 500),
    }
    if (read.problems.length > 0 || !unit_amount || !interval || !started_at || !end) return freeOf(unit_amount)
    const plan = read.text(row, PLAN)
    return {
      ...{ sourceId, createdAt: started_at, buyer, unit_amount, currency, interval, goesOn, started_at, ...dates },
      keys: [`price:${plan}`],
      product_name: read.text(row, PRODUCT_NAME, MAX_NAME) ?? read.text(row, PRODUCT, MAX_NAME) ?? 'Subscription',
      price_variant_name: (plan ?? 'Default').slice(0, MAX_NAME),
      ...{ current_period_start: start ?? started_at, current_period_end: end },
      ...{ ends_at: goesOn ? null : (ended ?? end), installment_count: null },
      ...{ country: null, region: null, vat_id: null, metadata: read.metadata(row, METADATA_COLUMNS) },
    }
  },
})

function freeOf(amount: number | null) {
  return amount === 0 ? { leftOut: 'costs nothing: give access by a free price instead' } : null
}
