import { PRICE_COLUMNS, PRODUCT_COLUMNS } from '../../../../resources/dashboard/account-export/csv-columns.ts'
import { MAX_NAME, type PriceDraft, type ProductDraft, priceKeys } from '../drafts.ts'
import { format } from '../format.ts'
import type { Reader } from '../reading/reader.ts'
import type { TableRow } from '../reading/table.ts'
import { readMetadata } from './metadata.ts'

/** Our own product format, with one row per price. */
export const plainProducts = format<'products'>({
  kind: 'products',
  name: 'products',
  needs: ['name', 'amount'],
  reads: [...PRODUCT_COLUMNS, ...PRICE_COLUMNS],
  key: (row, read) => read.text(row, 'id') ?? read.text(row, 'slug') ?? read.text(row, 'name') ?? '',
  draft(rows, read) {
    const [row] = rows
    const name = read.required(row, 'name', MAX_NAME)
    const slug = read.text(row, 'slug', 100)?.toLowerCase() ?? null
    const sourceId = read.text(row, 'id') ?? slug ?? name
    const prices = rows.flatMap((one) => priceOf(one, read, { sourceId, name }))
    const values = productOf(row, read)
    return read.problems.length > 0 ? null : { ...values, sourceId, name, slug, prices }
  },
})

function productOf(row: TableRow, read: Reader): Omit<ProductDraft, 'sourceId' | 'name' | 'slug' | 'prices'> {
  return {
    status: read.oneOf(row, 'status', ['draft', 'active', 'archived']) ?? 'draft',
    description: read.text(row, 'description', 5000),
    body_html: read.html(row, 'body_html'),
    button_cta: read.text(row, 'button_cta', 50),
    available_from: read.moment(row, 'available_from'),
    available_until: read.moment(row, 'available_until'),
    tax_code: read.text(row, 'tax_code', 50),
    seo_title: read.text(row, 'seo_title', 60),
    seo_description: read.text(row, 'seo_description', 160),
    metadata: readMetadata(row, read),
    createdAt: read.moment(row, 'created_at'),
  }
}

/** Returns the price in a row; none for a fixed price without an amount, as in the row of a product without prices. */
function priceOf(row: TableRow, read: Reader, product: { sourceId: string; name: string }): PriceDraft[] {
  const currency = read.currency(row, 'currency')
  const money = (column: string) => read.amount(row, column, currency)
  const amount_type = read.oneOf(row, 'amount_type', ['fixed', 'free', 'custom']) ?? undefined
  const amount = money('amount')
  if (amount === null && (amount_type ?? 'fixed') === 'fixed') return []
  const name = read.text(row, 'price_name', MAX_NAME) ?? 'Default'
  const sku = read.text(row, 'sku')
  const variant = name === 'Default' ? '' : name
  return [
    {
      sourceId: read.text(row, 'price_id') ?? `${product.sourceId}/${variant}`,
      aliases: priceKeys({ sku, product: product.name, variant }),
      ...{ name, currency, createdAt: null },
      pricing: {
        ...{ amount: amount ?? 0, ...(amount_type && { amount_type }), ...cycleOf(row, read) },
        setup_fee_amount: money('setup_fee_amount'),
        discounted_from_amount: money('discounted_from_amount'),
        minimum_amount: money('minimum_amount'),
        maximum_amount: money('maximum_amount'),
        preset_amount: money('preset_amount'),
      },
      revoke_after_days: read.whole(row, 'revoke_after_days', { min: 1, max: 36_500 }),
      quantity_available: read.whole(row, 'quantity_available'),
      waitlist: read.flag(row, 'waitlist') ?? false,
      hidden: read.flag(row, 'hidden') ?? false,
      archived: read.flag(row, 'archived') ?? false,
      benefits: benefitsOf(row, read),
    },
  ]
}

function cycleOf(row: TableRow, read: Reader): Partial<PriceDraft['pricing']> {
  const billing_type = read.oneOf(row, 'billing_type', ['one_time', 'subscription', 'free'])
  return {
    ...(billing_type && { billing_type }),
    recurring_interval: read.oneOf(row, 'recurring_interval', ['day', 'week', 'month', 'year']),
    interval_count: read.whole(row, 'interval_count', { min: 1, max: 1095 }),
    installment_count: read.whole(row, 'installment_count', { min: 2, max: 1000 }),
    trial_period_days: read.whole(row, 'trial_period_days', { min: 1, max: 730 }),
  }
}

function benefitsOf(row: TableRow, read: Reader): string[] {
  const lines = (read.text(row, 'benefits') ?? '').split(/\r?\n/).map((line) => line.trim())
  return lines.filter((line) => line !== '').slice(0, 20)
}
