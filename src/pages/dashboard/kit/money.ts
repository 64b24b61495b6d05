import { minorDigits } from '../../../contract/money-text.ts'

/** An amount as people type it: 2900 of usd is `29.00`. */
export function majorText(amount: number, currency: string): string {
  const digits = minorDigits(currency)
  return (amount / 10 ** digits).toFixed(digits)
}

/**
 * The minor units of a typed amount, such as `29`, `29.5` or `1,250.00`. What is no amount in the currency is given back as
 * it is, so that the operation says what is wrong.
 */
export function minorOf(given: string, currency: string): number | string {
  const digits = minorDigits(currency)
  const plain = given.trim().replaceAll(/,(?=\d{3}(\D|$))/g, '')
  const [, sign, whole, part = ''] = /^(-?)(\d{1,13})(?:\.(\d*))?$/.exec(plain) ?? []
  if (whole === undefined || part.length > digits) return given
  return Number(`${sign}${whole}${part.padEnd(digits, '0')}`)
}
