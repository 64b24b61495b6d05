import type { TaxLine } from '../../../../contract/declarations/tax-line.ts'
import type { TaxRate } from '../../../../contract/declarations/tax-rate.ts'
import type { Line, PricedLine } from '../line.ts'
import type { Totals } from '../totals.ts'
import { isInclusive, ratesFor, taxOf } from './compute.ts'
import type { TaxTerms } from './terms.ts'

export interface Taxed extends Totals {
  amount_tax: number
  /** True if the prices of the lines include the tax already; otherwise the tax is added to them. */
  tax_inclusive: boolean
  tax_lines: TaxLine[]
  reverse_charge: boolean
}

/** Returns the lines at the prices the buyer pays: reverse charge removes included tax, except from amounts that the buyer chose. */
export function linesFor(lines: readonly Line[], tax: TaxTerms | null): Line[] {
  return lines.map((line) => lineFor(line, tax))
}

export function lineFor(given: Line, tax: TaxTerms | null): Line {
  const line = asListed(given)
  const rates = tax?.reverse_charge ? ratesFor(tax.rates, line.tax_code) : []
  if (!isInclusive(rates) || line.custom !== null || line.unit_amount === null) return line
  const { unit_amount, recurring } = line
  const setup_fee_amount = recurring?.setup_fee_amount ?? 0
  return {
    ...line,
    unit_amount: taxOf(unit_amount, rates).net,
    recurring: recurring && { ...recurring, setup_fee_amount: taxOf(setup_fee_amount, rates).net },
    listed: { unit_amount, setup_fee_amount },
  }
}

/** Returns a line at its list prices, which include tax. */
export function asListed({ listed, ...line }: Line): Line {
  if (!listed) return line
  const { unit_amount, setup_fee_amount } = listed
  return { ...line, unit_amount, recurring: line.recurring && { ...line.recurring, setup_fee_amount } }
}

/** Computes the tax of each line after its discount, and adds tax that prices do not include to the totals. */
export function withTax(totals: Totals, tax: TaxTerms | null): Taxed {
  const taxLines: TaxLine[] = []
  const lines = totals.lines.map((line) => taxedLine(line, tax, taxLines))
  const amount_tax = lines.reduce((sum, line) => sum + line.amount_tax, 0)
  const tax_inclusive = taxLines.some(({ inclusive }) => inclusive)
  return {
    ...totals,
    lines,
    amount_tax,
    tax_inclusive,
    tax_lines: taxLines,
    reverse_charge: tax?.reverse_charge ?? false,
    total: lines.reduce((sum, { amount }) => sum + amount, 0),
  }
}

function taxedLine(line: PricedLine, tax: TaxTerms | null, taxLines: TaxLine[]): PricedLine & { amount_tax: number } {
  const rates = tax && !tax.reverse_charge ? ratesFor(tax.rates, line.tax_code) : []
  const { taxes, net } = taxOf(line.amount, rates)
  for (const [index, rate] of rates.entries()) addTaxLine(taxLines, rate, net, taxes[index] ?? 0)
  const amount_tax = taxes.reduce((sum, part) => sum + part, 0)
  return { ...line, amount_tax, amount: isInclusive(rates) ? line.amount : line.amount + amount_tax }
}

function addTaxLine(taxLines: TaxLine[], rate: TaxRate, taxable_amount: number, amount: number): void {
  const { name, percent, country, region, inclusive } = rate
  const known = taxLines.find((line) => line.name === name && line.percent === percent && line.region === region)
  if (!known) taxLines.push({ name, percent, country, region, inclusive, taxable_amount, amount })
  else {
    known.taxable_amount += taxable_amount
    known.amount += amount
  }
}
