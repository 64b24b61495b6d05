import { ApiError } from '../../../../contract/declarations/errors.ts'
import type { Fields } from '../../../../contract/declarations/field.ts'
import type { Row } from '../../../../contract/declarations/noun.ts'
import type { Context } from '../../../../records/context.ts'
import { PriceVariant, UNNAMED } from '../../../../resources/catalog/price-variant/price-variant.ts'
import { newPricing } from '../../../../resources/catalog/price-variant/write.ts'
import { Product } from '../../../../resources/catalog/product/product.ts'
import { shopAnswer } from '../../../storefront/frame.ts'
import { productDocument } from '../../../storefront/product.ts'
import { sentFiles } from '../../derived/file-order.ts'
import { readBody } from '../../derived/read-form.ts'
import type { Values } from '../../kit/call.ts'
import type { DashboardContext } from '../../kit/visit.ts'
import { readKind } from '../price-kind.ts'
import type { EditorFields } from './form.ts'
import { ALT, partOf, rowPrefix, rowsOf } from './rows.ts'

/** Renders the product page as buyers would see it if the product were active. Nothing is saved or for sale. */
export async function previewOf(
  visit: DashboardContext,
  form: URLSearchParams,
  fields: EditorFields,
  before: Values | null,
): Promise<Response> {
  const page = await visit.parts.pipeline.visits.look(visit.caller, (context) => {
    const product = productOf(visit, context, form, fields.product, before)
    const prices = rowsOf(form).flatMap((mark, index) => priceOf(visit, context, form, fields.price, mark, index) ?? [])
    const words = new Map(
      [...form].flatMap(([name, value]) => (name.startsWith(ALT) && value ? [[name.slice(ALT.length), value]] : [])),
    )
    return productDocument(context, { product, prices, words, isPreview: true })
  })
  return shopAnswer(page, { secret: true, framed: true })
}

function validValues(fields: Fields, body: Values): Values {
  const values = Object.entries(body).flatMap(([name, value]) => {
    const read = fields[name]?.spec.schema.safeParse(value)
    return read?.success ? [[name, read.data] as const] : []
  })
  return Object.fromEntries(values)
}

function emptyRow(noun: { fields: Fields; hidden: Fields }): Values {
  const all = Object.entries({ ...noun.fields, ...noun.hidden })
  return Object.fromEntries(all.map(([name, { spec }]) => [name, spec.fallback ?? null]))
}

function productOf(
  visit: DashboardContext,
  context: Context,
  form: URLSearchParams,
  fields: Fields,
  before: Values | null,
): Row<typeof Product> {
  const body = validValues(fields, { ...readBody(visit, fields, form, null) })
  const made = {
    ...emptyRow(Product),
    ratings_total: 0,
    reviews_count: 0,
    slug: 'preview',
    ...body,
    ...(before && { id: before.id }),
    name: String(body.name ?? '').trim() || 'Untitled product',
    media: sentFiles(form, 'media').slice(0, 50),
    status: 'active',
    account_id: context.accountId,
  }
  return rowOf(made)
}

/** Returns a price's row, or null if the price is hidden or the form has too few values for it. */
function priceOf(
  visit: DashboardContext,
  context: Context,
  form: URLSearchParams,
  fields: Fields,
  mark: string,
  index: number,
): Row<typeof PriceVariant> | null {
  const own = partOf(form, rowPrefix(mark))
  readKind(own)
  const body = validValues(fields, { ...readBody(visit, fields, own, null) })
  if (body.hidden === true) return null
  try {
    const made = {
      ...emptyRow(PriceVariant),
      id: `price_${index}`,
      name: UNNAMED,
      currency: visit.account.default_currency,
      benefits: [],
      experiences: [],
      archived: false,
      ...body,
      ...newPricing(body),
      account_id: context.accountId,
    }
    return rowOf(made)
  } catch (error) {
    if (error instanceof ApiError) return null
    throw error
  }
}

/** Every field that the page shows was set by the caller. */
function rowOf<Made>(values: Values): Made {
  return values as Made
}
