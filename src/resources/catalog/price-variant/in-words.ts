import { counted } from '../../../format/counts.ts'
import { everyInterval } from '../../../format/intervals.ts'
import { formatMoney } from '../../../format/money.ts'
import { sentenceCase } from '../../../format/sentences.ts'
import { type PriceVariantRow, UNNAMED } from './price-variant.ts'

export type Price = Pick<
  PriceVariantRow,
  | 'amount_type'
  | 'amount'
  | 'currency'
  | 'recurring_interval'
  | 'interval_count'
  | 'trial_period_days'
  | 'setup_fee_amount'
  | 'installment_count'
  | 'revoke_after_days'
  | 'minimum_amount'
  | 'maximum_amount'
  | 'preset_amount'
>

/** Returns texts such as `$18.00`, `Free` and `Name your price`. */
export function amountInWords({ amount_type, amount, currency }: Price): string {
  if (amount_type === 'custom') return 'Name your price'
  return amount_type === 'free' ? 'Free' : formatMoney(amount ?? 0, currency)
}

/** Returns the billing interval, such as `every month`; empty for a one-time price. */
export function rhythmOf({ recurring_interval: interval, interval_count }: Price): string {
  return interval === null ? '' : everyInterval({ interval, interval_count: interval_count ?? 1 })
}

/** Returns texts such as `$9.00 every month`. */
export function costInWords(price: Price): string {
  return [amountInWords(price), rhythmOf(price)].filter(Boolean).join(' ')
}

/** Returns the name of a price for merchants: its own name, or its cost if it has none. */
export function nameOfPrice(price: Price & { readonly name: string }): string {
  return price.name === UNNAMED ? costInWords(price) : price.name
}

/** Returns the other terms of a price that buyers should know, one sentence each. */
export function termsOfPrice(price: Price): string[] {
  const { trial_period_days: trial, setup_fee_amount: fee, installment_count: payments, currency } = price
  const terms = [
    trial && `${trial === 1 ? 'The first day is' : `The first ${counted(trial, 'day')} are`} free.`,
    fee && `A setup fee of ${formatMoney(fee, currency)} is added to the first payment.`,
    payments && `Ends after ${counted(payments, 'payment')}.`,
    price.amount_type === 'custom' && boundsOf(price),
    price.revoke_after_days && `Access lasts ${counted(price.revoke_after_days, 'day')}.`,
  ]
  return terms.flatMap((term) => term || [])
}

function boundsOf({ minimum_amount: least, maximum_amount: most, preset_amount: preset, currency }: Price): string {
  const money = (amount: number) => formatMoney(amount, currency)
  const bounds = [least !== null && `from ${money(least)}`, most !== null && `up to ${money(most)}`].filter(Boolean)
  const parts = [bounds.join(' '), preset !== null && `${money(preset)} suggested`]
  const [first = '', ...others] = parts.flatMap((part) => part || [])
  return first === '' ? '' : `${[sentenceCase(first), ...others].join(', ')}.`
}

export function priceInShort(prices: readonly Price[]): string {
  const [first] = prices
  if (!first) return ''
  const same = prices.filter(({ currency, amount_type }) => currency === first.currency && amount_type === 'fixed')
  const lowest = same.toSorted((one, other) => one.amount! - other.amount!)[0]
  if (first.amount_type !== 'fixed' || !lowest) return amountInWords(first)
  const words = costInWords(lowest)
  return prices.length > 1 ? `From ${words}` : words
}
