import { formatMoney } from '../../format/money.ts'
import { placeName, REVERSE_CHARGE, taxLabel } from '../../format/tax.ts'
import type { AccountRow } from '../company/account/account.ts'

export interface PaperFact {
  label: string
  value: string
}

export interface PaperLine {
  name: string
  detail: string | null
  quantity: number
  amount: string
}

/** The texts of a printable receipt or invoice. */
export interface Paper {
  title: 'Receipt' | 'Invoice'
  number: string
  /** True if no real money was taken. */
  test: boolean
  shop: { name: string; lines: string[] }
  buyer: string[]
  facts: PaperFact[]
  lines: PaperLine[]
  /** The last entry is the final total. */
  totals: PaperFact[]
  notes: string[]
  /** The creation date of the PDF; it is fixed, so that the same document always has the same bytes. */
  at: string
}

/** The tax of an order or invoice, as far as it was stored. */
export interface PaperTax {
  currency: string
  amount_tax?: number
  tax_inclusive?: boolean
  tax_lines?: { name: string; percent: number; country: string; region: string | null; amount: number }[]
  reverse_charge?: boolean
  country?: string | null
  region?: string | null
  vat_id?: string | null
}

export function sellerOf(account: AccountRow & { vat_id?: string | null }): Paper['shop'] {
  const { name, support_email: email, vat_id: vatId } = account
  return { name, lines: [email, vatId ? `VAT ID ${vatId}` : null].filter((line) => line !== null) }
}

export function buyerLines(name: string | null, email: string, { vat_id: vatId, ...place }: PaperTax): string[] {
  const { country, region = null } = place
  return [name, email, country && placeName({ country, region }), vatId ? `VAT ID ${vatId}` : null].filter(
    (line): line is string => Boolean(line),
  )
}

/** Returns a total for each tax rate: `VAT 19% (Germany)`, or `Includes VAT 19% (Germany)` if prices include the tax. */
export function taxTotals({ currency, amount_tax = 0, tax_inclusive, tax_lines = [] }: PaperTax): PaperFact[] {
  const includes = tax_inclusive ? 'Includes ' : ''
  if (tax_lines.length === 0)
    return amount_tax > 0 ? [{ label: `${includes}Tax`, value: formatMoney(amount_tax, currency) }] : []
  return tax_lines.map(({ country, region, amount, ...rate }) => ({
    label: `${includes}${taxLabel(rate)} (${placeName({ country, region })})`,
    value: formatMoney(amount, currency),
  }))
}

export function taxNotes({ reverse_charge }: PaperTax): string[] {
  return reverse_charge ? [REVERSE_CHARGE] : []
}
