/** What the overview is about, in the simplest form. */
export interface Order {
  currency: string
  amount: number
  refunded: number
  /** Of the amount, and of what was given back. */
  tax: number
  taxRefunded: number
  /** Milliseconds since 1970, in whole seconds; NaN when it was never paid. */
  paidAt: number
}

const DAY_MS = 24 * 60 * 60 * 1000

/** A number from 0 to below `size`. */
export function chance(size: number): number {
  return Math.floor(Math.random() * size)
}

/** Orders of two years and a half, many of them close to midnight somewhere, and most of them of the last weeks. */
export function randomOrders(count: number): Order[] {
  return Array.from({ length: count }, () => {
    const amount = chance(9_000)
    const refunded = chance(3) ? 0 : chance(amount + 1)
    const tax = chance(2) ? 0 : chance(amount + 1)
    const days = chance(2) ? chance(900) : chance(70)
    const moment = Math.floor((Date.now() - days * DAY_MS - chance(DAY_MS)) / 1000) * 1000
    const nearHour = chance(2) ? moment : Math.round(moment / 900_000) * 900_000 - chance(2) * 1000
    return {
      currency: ['usd', 'eur', 'jpy'][chance(3)]!,
      amount,
      refunded,
      tax,
      taxRefunded: amount === 0 ? 0 : Math.floor((tax * refunded) / amount),
      paidAt: Math.min(nearHour, Math.floor(Date.now() / 1000) * 1000),
    }
  })
}

/** The day that the clocks of a zone show at a moment. */
export function dayIn(timeZone: string): (moment: number) => string {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  return (moment) => format.format(moment)
}

/** The month of it. */
export function monthIn(timeZone: string): (moment: number) => string {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit' })
  return (moment) => format.format(moment)
}
