import { DAY } from './moments.ts'
import { reductions, taxOf, total } from './money.ts'
import { type Cart, type Code, type Line, type Price, type Rate, refuse, type State } from './state.ts'

/** What a buyer puts into a cart. */
export interface Item {
  price: Price
  quantity: number
  amount: number | null
}

/** The lines of a cart at the prices of this moment. A refusal names the `others` too, which are wrong whatever the lines are. */
export function linesOf(items: readonly Item[], others: readonly string[] = []): Line[] {
  const wrong: string[] = []
  const merged: { item: Item; place: number }[] = []
  for (const [place, item] of items.entries()) {
    const same = merged.find((one) => one.item.price === item.price)
    if (!same) merged.push({ item: { ...item }, place })
    else if (same.item.amount !== item.amount) wrong.push(`line_items.${place}.amount`)
    else same.item.quantity += item.quantity
  }
  for (const { item, place } of merged) {
    if (!isForSale(item.price, item.quantity)) wrong.push(`line_items.${place}.price_variant`)
    if (item.amount !== null && !canPay(item.price, item.amount)) wrong.push(`line_items.${place}.amount`)
  }
  if (wrong.length > 0) refuse(...wrong, ...others)
  const lines = merged.map(({ item }) => lineOf(item))
  if (!goTogether(lines)) refuse('line_items', ...others)
  return lines
}

export function lineOf({ price, quantity, amount }: Item): Line {
  const suggested = price.preset ?? (price.least === 0 ? null : price.least)
  const unit = price.kind === 'custom' ? (amount ?? suggested) : price.amount
  return { price, quantity, unit, currency: price.currency, terms: price.terms && { ...price.terms } }
}

export function isForSale(price: Price, quantity: number): boolean {
  return !price.archived && price.product.status === 'active' && isInStock(price, quantity)
}

export function isInStock({ stock }: Price, quantity: number): boolean {
  return stock === null || stock >= quantity
}

function canPay({ kind, least, most }: Price, amount: number): boolean {
  return kind === 'custom' && amount >= (least ?? 0) && amount <= (most ?? 99_999_999)
}

function goTogether(lines: readonly Line[]): boolean {
  const oneCurrency = lines.every((line) => line.currency === lines[0]!.currency)
  return oneCurrency && (lines.length === 1 || lines.every((line) => line.terms === null))
}

/** What the lines cost today: in a trial the fee alone, which no code lowers. */
export function cartOf(lines: readonly Line[], code: Code | null, rate: Rate | null): Cart {
  const today = lines.map(({ unit, quantity, terms }) => (terms?.trialDays ? 0 : (unit ?? 0) * quantity))
  const lowered = today.map((amount, place) => (code && isTarget(code, lines[place]!) ? amount : 0))
  const discounts = code ? reductions(code, lowered) : lowered
  const priced = lines.map((line, place) => {
    const fee = line.terms?.fee ?? 0
    const discount = discounts[place]!
    return { ...line, fee, discount, ...taxed(today[place]! + fee - discount, rate) }
  })
  const [sum, tax, discount] = [total(priced.map(({ amount }) => amount)), taxesOf(priced), total(discounts)]
  const subtotal = sum + discount - (rate?.inclusive ? 0 : tax)
  return { lines: priced, code, rate, subtotal, discount, tax, total: sum }
}

/** What is paid for a price with its tax. */
export function taxed(price: number, rate: Rate | null): { amount: number; tax: number } {
  const tax = taxOf(price, rate)
  return { tax, amount: rate?.inclusive ? price : price + tax }
}

function taxesOf(lines: readonly { tax: number }[]): number {
  return total(lines.map(({ tax }) => tax))
}

export function isTarget({ products, prices }: Code, { price }: Line): boolean {
  return (products.length === 0 && prices.length === 0) || products.includes(price.product) || prices.includes(price)
}

/** As lists show it. */
export function statusOf(state: State, code: Code): 'inactive' | 'expired' | 'active' {
  if (!code.on) return 'inactive'
  const over = code.until !== null && code.until <= state.now
  return over || (code.most !== null && redeemed(state, code) >= code.most) ? 'expired' : 'active'
}

/** Checkouts that were paid with it. */
export function redeemed(state: State, code: Code): number {
  return state.orders.filter((order) => order.isFirst && order.code === code && order.paid !== null).length
}

export function isUsable(state: State, code: Code, lines: readonly Line[]): boolean {
  const sameCurrency = code.currency === null || code.currency === lines[0]!.currency
  return statusOf(state, code) === 'active' && sameCurrency && lines.some((line) => isTarget(code, line))
}

export function isEverCharged({ lines }: Cart): boolean {
  return lines.some((line) => line.terms !== null)
}

/** Until when a one-time purchase gives access. */
export function endOfAccess({ revokeDays }: Price, from: number): number | null {
  return revokeDays === null ? null : from + revokeDays * DAY
}
