import { countryName } from '../../../../format/countries.ts'

/** Check digit algorithms by country, where they are public and certain; for other countries only the format of ids is checked. */
const CHECK_DIGITS: Readonly<Record<string, DigitCheck>> = {
  AT: (digits) => (96 - doubledSum(digits.slice(0, 7), 1)) % 10 === Number(digits[7]),
  AU: (digits) =>
    weighted(`${Number(digits[0]) - 1}${digits.slice(1)}`, [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19]) % 89 === 0,
  BE: (digits) => 97 - (Number(digits.slice(0, 8)) % 97) === Number(digits.slice(8)),
  CH: (digits) => weighted(digits, [5, 4, 3, 2, 7, 6, 5, 4, 1]) % 11 === 0,
  DE: (digits) => isMod11And10(digits),
  DK: (digits) => weighted(digits, [2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0,
  FI: (digits) => weighted(digits, [7, 9, 10, 5, 8, 4, 2, 1]) % 11 === 0,
  FR: (_, whole) => fitsFrench(whole.slice(2)),
  GB: (digits, whole) => /^GB[A-Z]/.test(whole) || fitsBritish(digits.slice(0, 9)),
  GR: (digits) => (weighted(digits.slice(0, 8), [256, 128, 64, 32, 16, 8, 4, 2]) % 11) % 10 === Number(digits[8]),
  HR: (digits) => isMod11And10(digits),
  IT: isLuhn,
  LU: (digits) => Number(digits.slice(0, 6)) % 89 === Number(digits.slice(6)),
  NO: (digits) => weighted(digits, [3, 2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0,
  PL: (digits) => weighted(digits, [6, 5, 7, 2, 3, 4, 5, 6, 7]) % 11 === Number(digits[9]),
  PT: (digits) =>
    ((11 - (weighted(digits.slice(0, 8), [9, 8, 7, 6, 5, 4, 3, 2]) % 11)) % 11) % 10 === Number(digits[8]),
  SE: (digits) => isLuhn(digits.slice(0, 10)),
}

interface VatIdForm {
  pattern: RegExp
  /** A valid VAT id, shown in error messages. */
  example: string
}

/** The formats of VAT ids by country as published by the tax authorities: with leading letters, without blanks. */
const FORMS: Readonly<Record<string, VatIdForm>> = {
  AT: { pattern: /^ATU\d{8}$/, example: 'ATU13585627' },
  AU: { pattern: /^\d{11}$/, example: '51824753556' },
  BE: { pattern: /^BE[01]\d{9}$/, example: 'BE0428759497' },
  BG: { pattern: /^BG\d{9,10}$/, example: 'BG175074752' },
  CH: { pattern: /^CHE\d{9}(MWST|TVA|IVA)?$/, example: 'CHE100155212MWST' },
  CY: { pattern: /^CY\d{8}[A-Z]$/, example: 'CY10259033P' },
  CZ: { pattern: /^CZ\d{8,10}$/, example: 'CZ25123891' },
  DE: { pattern: /^DE[1-9]\d{8}$/, example: 'DE136695976' },
  DK: { pattern: /^DK[1-9]\d{7}$/, example: 'DK13585628' },
  EE: { pattern: /^EE\d{9}$/, example: 'EE100931558' },
  ES: { pattern: /^ES([A-Z]\d{7}[A-Z0-9]|\d{8}[A-Z])$/, example: 'ESB58378431' },
  FI: { pattern: /^FI\d{8}$/, example: 'FI20774740' },
  FR: { pattern: /^FR[0-9A-HJ-NP-Z]{2}\d{9}$/, example: 'FR40303265045' },
  GB: { pattern: /^GB(\d{9}(\d{3})?|GD[0-4]\d{2}|HA[5-9]\d{2})$/, example: 'GB980780684' },
  GR: { pattern: /^EL\d{9}$/, example: 'EL094259216' },
  HR: { pattern: /^HR\d{11}$/, example: 'HR33392005961' },
  HU: { pattern: /^HU\d{8}$/, example: 'HU12892312' },
  IE: { pattern: /^IE(\d{7}[A-W][A-I]?|\d[A-Z+*]\d{5}[A-W])$/, example: 'IE6433435F' },
  IT: { pattern: /^IT\d{11}$/, example: 'IT00743110157' },
  LT: { pattern: /^LT(\d{9}|\d{12})$/, example: 'LT119511515' },
  LU: { pattern: /^LU\d{8}$/, example: 'LU15027442' },
  LV: { pattern: /^LV\d{11}$/, example: 'LV40003521600' },
  MT: { pattern: /^MT\d{8}$/, example: 'MT11679112' },
  NL: { pattern: /^NL[0-9A-Z+*]{10}\d{2}$/, example: 'NL004495445B01' },
  NO: { pattern: /^(NO)?\d{9}(MVA)?$/, example: 'NO995525828MVA' },
  NZ: { pattern: /^\d{8,9}$/, example: '49091850' },
  PL: { pattern: /^PL\d{10}$/, example: 'PL8567346215' },
  PT: { pattern: /^PT\d{9}$/, example: 'PT501964843' },
  RO: { pattern: /^RO[1-9]\d{1,9}$/, example: 'RO18547290' },
  SE: { pattern: /^SE\d{10}01$/, example: 'SE123456789701' },
  SI: { pattern: /^SI[1-9]\d{7}$/, example: 'SI50223054' },
  SK: { pattern: /^SK[1-9]\d{9}$/, example: 'SK2022749619' },
}

/** Returns the reason why a VAT id is invalid for a country, or null. It is not checked whether the id was ever issued. */
export function vatIdProblem(country: string, vatId: string): string | null {
  const form = FORMS[country]
  const name = countryName(country)
  if (!form) return `cannot be checked for ${name}; leave it out`
  if (!form.pattern.test(vatId)) return `is not a VAT id of ${name}; they look like ${form.example}`
  const fits = CHECK_DIGITS[country]
  return fits && !fits(vatId.replace(/\D/g, ''), vatId)
    ? `is not a VAT id of ${name}: its check digits do not fit`
    : null
}

export function hasVatIds(country: string): boolean {
  return Object.hasOwn(FORMS, country)
}

type DigitCheck = (digits: string, whole: string) => boolean

function weighted(digits: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, index) => sum + weight * Number(digits[index]), 0)
}

/** Checks digits by ISO/IEC 7064, MOD 11,10. */
function isMod11And10(digits: string): boolean {
  let product = 10
  for (const digit of digits.slice(0, -1)) product = (((Number(digit) + product) % 10 || 10) * 2) % 11
  return (11 - product) % 10 === Number(digits.at(-1))
}

/** Sums digits after doubling every second one, beginning at `first`; a doubled value of two digits counts as the sum of its digits. */
function doubledSum(digits: string, first: number): number {
  return [...digits].reduce((sum, digit, index) => {
    const value = index % 2 === first ? 2 * Number(digit) : Number(digit)
    return sum + Math.floor(value / 10) + (value % 10)
  }, 0)
}

function isLuhn(digits: string): boolean {
  return doubledSum(digits, digits.length % 2) % 10 === 0
}

/** Accepts ids whose two-character key contains letters, because no public rule covers these keys. */
function fitsFrench(id: string): boolean {
  const [key, company] = [id.slice(0, 2), id.slice(2)]
  return !/^\d\d$/.test(key) || Number(key) === (12 + 3 * (Number(company) % 97)) % 97
}

function fitsBritish(digits: string): boolean {
  const sum = weighted(digits.slice(0, 7), [8, 7, 6, 5, 4, 3, 2]) + Number(digits.slice(7))
  return sum % 97 === 0 || (sum + 55) % 97 === 0
}
