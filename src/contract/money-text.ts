/** Digits after the point by ISO 4217, where they are not two. Intl follows other tables for some of these. */
const OTHER_DIGITS: Readonly<Record<string, number>> = {
  ...everyOne('bif clp djf gnf isk jpy kmf krw pyg rwf ugx uyi vnd vuv xaf xof xpf', 0),
  ...everyOne('bhd iqd jod kwd lyd omr tnd', 3),
  ...everyOne('clf uyw', 4),
}
const USUAL_DIGITS = 2

const formats = new Map<string, Intl.NumberFormat>()

/** How many digits of an amount stand after the point: 2 for usd, 0 for jpy, 3 for kwd. */
export function minorDigits(currency: string): number {
  return OTHER_DIGITS[currency] ?? USUAL_DIGITS
}

/**
 * An amount as people read it, in English: `$29.00`, `¥2,900`, `KWD 1.500`, `-€5.00`. `amount` is in minor units, `currency`
 * a lower-case ISO 4217 code. The blank after a code is one that breaks no line.
 */
export function formatMoney(amount: number, currency: string): string {
  const digits = minorDigits(currency)
  return formatOf(currency, digits).format(amount / 10 ** digits)
}

function formatOf(currency: string, digits: number): Intl.NumberFormat {
  let format = formats.get(currency)
  if (!format) {
    const fraction = { minimumFractionDigits: digits, maximumFractionDigits: digits }
    format = new Intl.NumberFormat('en', { style: 'currency', currency, ...fraction })
    formats.set(currency, format)
  }
  return format
}

function everyOne(codes: string, digits: number): Record<string, number> {
  return Object.fromEntries(codes.split(' ').map((code) => [code, digits]))
}
