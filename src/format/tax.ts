import { countryName } from './countries.ts'
import { regionName } from './regions.ts'

/** Returns the label of a tax: `VAT 19%`. */
export function taxLabel({ name, percent }: { name: string; percent: number }): string {
  return `${name} ${percent.toLocaleString('en', { maximumFractionDigits: 4 })}%`
}

/** Returns the name of a place: `Germany`, `Quebec, Canada`. */
export function placeName({ country, region }: { country: string; region: string | null }): string {
  const name = region === null ? null : regionName(country, region)
  return name === null ? countryName(country) : `${name}, ${countryName(country)}`
}

export const REVERSE_CHARGE = 'Reverse charge: the buyer owes the tax.'

interface Taxed {
  tax_lines: readonly { name: string; percent: number; amount: number }[]
  tax_inclusive?: boolean
}

export function billTaxes({ tax_lines, tax_inclusive = false }: Taxed) {
  return {
    taxes: tax_lines.map((line) => ({ label: taxLabel(line), amount: line.amount })),
    taxInclusive: tax_inclusive,
  }
}
