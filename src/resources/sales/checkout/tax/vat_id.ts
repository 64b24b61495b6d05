import { countryName } from '../../../../words/countries.ts'
import { CHECK_DIGITS } from './vat_check_digits.ts'

interface Form {
  pattern: RegExp
  /** One that has the form, to be shown. */
  example: string
}

/** The forms of VAT ids by country, as the tax authorities publish them: letters in front included, without blanks. */
const FORMS: Readonly<Record<string, Form>> = {
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

/** Why a VAT id cannot be one of a country, or null. Whether it was given out to somebody is not looked up. */
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

/** The countries whose VAT ids can be checked. */
export function hasVatIds(country: string): boolean {
  return Object.hasOwn(FORMS, country)
}
