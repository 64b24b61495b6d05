import { fixedPrice, MAX_NAME, type PriceDraft, type ProductDraft, priceKeys } from '../drafts.ts'
import { format } from '../format.ts'
import type { Reader } from '../reading/reader.ts'
import type { TableRow } from '../reading/table.ts'

const MOST_PICTURES = 10

const HANDLE = ['Handle', 'URL handle'] as const
const TITLE = 'Title'
const BODY = ['Body (HTML)', 'Description'] as const
const PUBLISHED = ['Published', 'Published on online store'] as const
const STATUS = 'Status'
const SKU = ['Variant SKU', 'SKU'] as const
const PRICE = ['Variant Price', 'Price'] as const
const COMPARE_AT = ['Variant Compare At Price', 'Compare-at price'] as const
const TRACKER = ['Variant Inventory Tracker', 'Inventory tracker'] as const
const QUANTITY = ['Variant Inventory Qty', 'Inventory quantity'] as const
const POLICY = ['Variant Inventory Policy', 'Continue selling when out of stock'] as const
const TAX_CODE = ['Variant Tax Code', 'Tax code'] as const
const IMAGE = ['Image Src', 'Product image URL'] as const
const SEO_TITLE = 'SEO Title'
const SEO_DESCRIPTION = 'SEO Description'
const OPTIONS = ['Option1 Value', 'Option2 Value', 'Option3 Value']
const METADATA_COLUMNS = {
  vendor: 'Vendor',
  type: 'Type',
  category: ['Product Category', 'Standard Product Type'],
  tags: 'Tags',
} as const

/** Shopify's product export, with either spelling of its columns. It has one row per variant and per additional picture. */
export const shopifyProducts = format<'products'>({
  kind: 'products',
  name: 'products',
  needs: [HANDLE, TITLE, PRICE],
  reads: [
    ...[HANDLE, TITLE, BODY, PUBLISHED, STATUS, SKU, PRICE, COMPARE_AT, TRACKER, QUANTITY, POLICY, TAX_CODE, IMAGE],
    ...[SEO_TITLE, SEO_DESCRIPTION, ...OPTIONS, ...Object.values(METADATA_COLUMNS)],
  ],
  leavesOut: [
    ...['Option1 Name', 'Option2 Name', 'Option3 Name', 'Option1 Linked To', 'Option2 Linked To', 'Option3 Linked To'],
    ...['Variant Grams', 'Variant Fulfillment Service', 'Variant Requires Shipping', 'Variant Taxable', 'Charge tax'],
    ...[
      'Variant Barcode',
      'Barcode',
      'Image Position',
      'Image Alt Text',
      'Gift Card',
      'Variant Image',
      'Cost per item',
    ],
    ...['Variant Weight Unit', 'Fulfillment service', 'Requires shipping', 'Weight value (grams)', 'Variant image URL'],
    ...['Weight unit for display', 'Custom Product Type'],
  ],
  key: (row, read) => read.text(row, HANDLE) ?? '',
  draft(rows, read) {
    const [row] = rows
    const handle = read.required(row, HANDLE)
    const name = read.required(row, TITLE, MAX_NAME)
    const prices = rows.flatMap((one) => priceOf(one, read, { handle, name }))
    if (prices.length === 0 && read.problems.length === 0)
      read.refuse(row, PRICE, 'is empty in every row of the product; each variant needs a price')
    if (read.problems.length > 0) return null
    return { ...productOf(row, read), sourceId: handle, name, slug: handle, prices, metadata: metadataOf(rows, read) }
  },
})

function productOf(
  row: TableRow,
  read: Reader,
): Omit<ProductDraft, 'sourceId' | 'name' | 'slug' | 'prices' | 'metadata'> {
  return {
    status: statusOf(row, read),
    body_html: read.html(row, BODY),
    tax_code: read.text(row, TAX_CODE, 50),
    seo_title: read.text(row, SEO_TITLE, 60),
    seo_description: read.text(row, SEO_DESCRIPTION, 160),
    ...{ createdAt: null, description: null, button_cta: null, available_from: null, available_until: null },
  }
}

/**
 * Returns the status of a product. An unlisted product, or an active one that is not published in the online store, becomes a
 * draft, so that no page shows it.
 */
function statusOf(row: TableRow, read: Reader): ProductDraft['status'] {
  const status = read.oneOf(row, STATUS, ['active', 'draft', 'archived', 'unlisted']) ?? 'active'
  if (status === 'unlisted') return 'draft'
  return status === 'active' && read.flag(row, PUBLISHED) === false ? 'draft' : status
}

/** Returns the price in a row; none if the row only contains an additional picture. */
function priceOf(row: TableRow, read: Reader, { handle, name }: { handle: string; name: string }): PriceDraft[] {
  const currency = read.currency(row, [])
  const amount = read.amount(row, PRICE, currency)
  if (amount === null) return []
  const values = OPTIONS.map((column) => read.text(row, column)).filter((value) => value !== null)
  const variant = values.filter((value) => value !== 'Default Title').join(' / ')
  const sku = read.text(row, SKU)
  const compared = read.amount(row, COMPARE_AT, currency)
  return [
    {
      ...fixedPrice(amount, currency, compared),
      sourceId: `${handle}/${variant}`,
      aliases: priceKeys({ sku, product: name, variant }),
      name: variant === '' ? 'Default' : read.cut(row, OPTIONS, variant, MAX_NAME),
      quantity_available: stockOf(row, read),
    },
  ]
}

/** Returns the stock of a variant; null if Shopify does not track it or allows overselling. */
function stockOf(row: TableRow, read: Reader): number | null {
  const policy = read.text(row, POLICY)?.toLowerCase()
  const counted = read.text(row, TRACKER) !== null && policy !== 'continue' && policy !== 'true'
  const quantity = read.whole(row, QUANTITY, { min: -2_147_483_648 })
  return counted && quantity !== null ? Math.max(quantity, 0) : null
}

function metadataOf(rows: readonly [TableRow, ...TableRow[]], read: Reader): Record<string, string> {
  const pictures = rows.map((row) => read.text(row, IMAGE)).filter((address) => address !== null)
  if (pictures.length > MOST_PICTURES)
    read.note(rows[0], IMAGE, `is kept for the first ${MOST_PICTURES} of ${pictures.length} pictures`)
  const fitting = pictures.slice(0, MOST_PICTURES).filter((address) => address.length <= 500)
  const images = fitting.map((address, index) => [`image_${index + 1}`, address])
  return { ...read.metadata(rows[0], METADATA_COLUMNS), ...Object.fromEntries(images) }
}
