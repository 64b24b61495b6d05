import { html } from 'hono/html'
import { formatShortDay } from '../../../format/moments.ts'
import { formatMoney } from '../../../format/money.ts'
import { placeName, REVERSE_CHARGE, taxLabel } from '../../../format/tax.ts'
import { factList, headedCard, type Page } from '../../parts/markup.ts'
import { number, reference } from '../kit/value.ts'
import type { Cell, DashboardContext, Viewed } from '../kit/visit.ts'

export const customerCell: Cell<{ customer: Viewed<'order' | 'invoice'>['customer'] | null }> = {
  title: 'Customer',
  show: (visit, { customer }) => {
    if (customer === null) return html`<span class="none">–</span>`
    return reference(visit, 'customer', customer)
  },
}

type Priced<Name extends string> = { readonly [Key in Name]: number | null } & { readonly currency: string }

export function amountOf<Name extends string = 'amount'>(
  values: Priced<NoInfer<Name>>,
  field: Name = 'amount' as Name,
): string {
  return formatMoney(values[field] ?? 0, values.currency)
}

export function amount<Name extends string = 'amount'>(
  values: Priced<NoInfer<Name>>,
  field: Name = 'amount' as Name,
): Page {
  return number(amountOf(values, field))
}

export function day({ account }: DashboardContext, timestamp: string | null): string {
  return timestamp === null ? '–' : formatShortDay(timestamp, account.timezone)
}

interface TaxFields {
  currency: string
  country: string | null
  region: string | null
  vat_id: string | null
  reverse_charge: boolean
  tax_inclusive: boolean
  tax_lines: readonly { name: string; percent: number; taxable_amount: number; amount: number }[]
}

/** Fields that the list of fields leaves out, because `placeCard` shows them. */
export const PLACE_FIELDS = ['country', 'region', 'vat_id'] as const

export const TAX_FIELDS = [
  ...(['amount_tax', 'tax_inclusive', 'tax_lines', 'reverse_charge'] as const),
  ...PLACE_FIELDS,
]

export function placeCard({ country, region, vat_id }: Pick<TaxFields, (typeof PLACE_FIELDS)[number]>): Page {
  if (country === null) return html``
  const facts = factList('fields', [
    ['Taxed in', placeName({ country, region })],
    vat_id !== null && ['VAT ID', vat_id],
  ])
  return headedCard('tax', 'Tax', facts)
}

/** Shows where a sale was taxed and at which rates, or nothing if the country is unknown. */
export function taxCard(sale: TaxFields): Page {
  const { country, region, vat_id, reverse_charge, tax_lines, tax_inclusive, currency } = sale
  if (country === null) return html``
  const money = (amount: number) => formatMoney(amount, currency)
  const facts = factList('fields', [
    ['Taxed in', placeName({ country, region })],
    vat_id !== null && ['VAT ID of the buyer', vat_id],
    ...tax_lines.map((line) => [taxLabel(line), `${money(line.amount)} on ${money(line.taxable_amount)}`] as const),
    tax_lines.length > 0 && ['Prices', tax_inclusive ? 'Include the tax' : 'Without the tax, which was added'],
    reverse_charge ? ['Exempt', REVERSE_CHARGE] : tax_lines.length === 0 && ['Tax', 'No rate for this place'],
  ])
  return headedCard('tax', 'Tax', facts)
}
