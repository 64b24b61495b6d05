import { html } from 'hono/html'
import type { TaxRate } from '../../../contract/declarations/tax-rate.ts'
import { formatMoney, minorDigits } from '../../../format/money.ts'
import { placeName, taxLabel } from '../../../format/tax.ts'
import type { Shown } from '../../../resources/nouns.ts'
import { isInclusive, ratesFor, taxOf } from '../../../resources/sales/checkout/tax/compute.ts'
import { type Column, dataTable, headedCard, type Page } from '../../parts/markup.ts'
import { settingsForm } from './form.ts'

/** The price of the examples, in whole units of the account's currency. */
const EXAMPLE_UNITS = 10

export const taxPage = settingsForm({
  path: '/settings/tax',
  see: 'account.read',
  send: 'account.write',
  title: 'Tax',
  lead: 'The VAT, GST or sales tax that you charge, by the buyer’s country. Which rates you have to charge is up to you; ask a tax adviser.',
  partly: true,
  view: {
    groups: [
      { title: 'Your shop', names: ['country', 'vat_id'] },
      { title: 'Rates', names: ['tax_rates'] },
    ],
    labels: { country: 'Country of the shop', vat_id: 'VAT ID of the shop', tax_rates: 'Tax rates' },
    hints: {
      country: 'Businesses of other countries that give a VAT ID then pay without tax (reverse charge).',
      vat_id: 'Shown on receipts and invoices.',
      tax_rates:
        'Region: a US state or a Canadian province; not set for the whole country. Percent: up to four decimals. Inclusive: prices include the tax; otherwise it is added to them. Tax code: only for products with this code. Once there are rates, buyers must choose their country before they pay.',
    },
  },
  operation: 'PATCH /account',
  read: ({ call }) => call('GET /account'),
  change: ({ call }, body) => call('PATCH /account', { body }),
  below: (_, account) => examples(account),
})

interface Example {
  place: string
  code: string | null
  rates: TaxRate[]
}

function examples({ tax_rates, default_currency: currency }: Shown<'account'>): Page {
  if (tax_rates.length === 0)
    return html`<p class="notice">Without rates no tax is charged, and buyers are not asked for their country.</p>`
  const price = EXAMPLE_UNITS * 10 ** minorDigits(currency)
  const money = (amount: number) => formatMoney(amount, currency)
  const taxed = (rates: TaxRate[]) => taxOf(price, rates).taxes.reduce((sum, part) => sum + part, 0)
  const columns: Column<Example>[] = [
    { words: 'Sold to', cell: ({ place, code }) => (code === null ? place : `${place}, tax code ${code}`) },
    { words: 'Rates', cell: ({ rates }) => rates.map(taxLabel).join(' + ') },
    { words: 'Tax', cell: ({ rates }) => money(taxed(rates)), end: true },
    {
      words: 'Buyer pays',
      cell: ({ rates }) => money(isInclusive(rates) ? price : price + taxed(rates)),
      end: true,
    },
  ]
  const caption = `A price of ${money(price)}, by the saved rates`
  const table = dataTable({ caption, columns, rows: examplesOf(tax_rates) })
  return headedCard('examples', `What a price of ${money(price)} becomes`, table)
}

/** Returns one example for each combination of a place and a tax code that has its own rates. */
function examplesOf(all: readonly TaxRate[]): Example[] {
  const found = new Map<string, Example>()
  for (const { country, region, tax_code: code } of all) {
    const there = all.filter((rate) => rate.country === country && (rate.region ?? region) === region)
    const place = placeName({ country, region })
    found.set(`${country} ${region} ${code}`, { place, code, rates: ratesFor(there, code) })
  }
  return [...found.values()]
}
