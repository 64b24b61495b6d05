import { ApiError } from '../../../../contract/declarations/errors.ts'
import type { Fields } from '../../../../contract/declarations/field.ts'
import type { Row } from '../../../../contract/declarations/noun.ts'
import type { Context } from '../../../../records/context.ts'
import { PriceVariant, UNNAMED } from '../../../../resources/catalog/price-variant/price-variant.ts'
import { newPricing } from '../../../../resources/catalog/price-variant/write.ts'
import { Product } from '../../../../resources/catalog/product/product.ts'
import type { Problem } from '../../../parts/markup.ts'
import { shopAnswer } from '../../../storefront/frame.ts'
import { productDocument } from '../../../storefront/product.ts'
import { crumbsBelow, crumbsOf } from '../../derived/detail.ts'
import { sentFiles } from '../../derived/file-order.ts'
import { formPage } from '../../derived/form-page.ts'
import { inputId } from '../../derived/part-words.ts'
import { problemsOf } from '../../derived/problem-words.ts'
import { readBody } from '../../derived/read-form.ts'
import { framed, goDone } from '../../kit/answers.ts'
import { answeredRows, type RefusedForm, shown, type Values } from '../../kit/call.ts'
import { type DashboardContext, type DashboardPage, withQuery } from '../../kit/visit.ts'
import { readKind } from '../price-kind.ts'
import { NEW_CODE } from '../product-codes.ts'
import { CODE_LABELS } from './code-part.ts'
import { type EditorFields, editorPage, PRODUCT_FIELDS, PRODUCT_LABELS } from './form.ts'
import { PRICE_FIELDS, PRICE_LABELS } from './price-row.ts'
import { ALT, CODE, emptyForm, filledForm, partOf, rowPrefix, rowsOf, withRows } from './rows.ts'
import { type EditedProduct, type PartRefusal, saveProduct } from './save.ts'

/** Large enough for the longest page text, if each character takes nine bytes: three bytes of UTF-8, percent-encoded. */
const FORM_BYTES = 2 * 1024 * 1024

function fieldsOf({ catalogue }: DashboardContext): EditorFields {
  const product: Fields = catalogue.bodyOf('POST /products')
  const price: Fields = catalogue.bodyOf('POST /price_variants')
  return {
    product: pickFields(product, [...PRODUCT_FIELDS, 'status']),
    price: pickFields(price, PRICE_FIELDS),
    discount: catalogue.bodyOf('POST /discounts'),
  }
}

function pickFields(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(names.flatMap((name) => (fields[name] ? [[name, fields[name]]] : [])))
}

interface NotSaved extends RefusedForm {
  refusals?: PartRefusal[]
}

async function page(
  visit: DashboardContext,
  before: EditedProduct | null,
  refused: NotSaved | null,
): Promise<Response> {
  const things = visit.catalogue.known('product')
  const fields = fieldsOf(visit)
  const form = refused?.sent ?? formOf(visit, before)
  const product = before?.product ?? null
  const problems = (refused?.refusals ?? []).flatMap((one) => problemsIn(visit, form, fields, one))
  const refusal = refused?.refusals?.[0]?.refusal ?? null
  const content = await editorPage({ visit, form, problems, product, unsaved: refused !== null, refusal }, fields)
  const options = product
    ? { title: `Edit ${product.name}`, crumbs: crumbsBelow(visit, things, product) }
    : { title: 'New product', crumbs: crumbsOf(visit, things) }
  return framed(visit, { ...options, status: refused?.status }, content)
}

function formOf(visit: DashboardContext, before: EditedProduct | null): URLSearchParams {
  return before ? filledForm(visit, before, fieldsOf(visit)) : emptyForm(visit)
}

/** Returns the problems of one part of the form. The messages name the discount code or the number of the price. */
function problemsIn(
  visit: DashboardContext,
  form: URLSearchParams,
  fields: EditorFields,
  { prefix, refusal }: PartRefusal,
): Problem[] {
  const currency = form.get(`${prefix}currency`) || visit.account.default_currency
  if (prefix === '') return problemsOf(refusal, fields.product, { currency, labels: PRODUCT_LABELS })
  const isCode = prefix === CODE
  const labels = isCode ? CODE_LABELS : PRICE_LABELS
  const marks = rowsOf(form)
  const place = isCode ? 'Discount code' : `Price ${marks.findIndex((mark) => rowPrefix(mark) === prefix) + 1}`
  const named = isCode || marks.length > 1
  return problemsOf(refusal, isCode ? fields.discount : fields.price, { currency, labels }).map(
    ({ field, message }) => ({
      field: inputId(prefix + (field === null ? (isCode ? 'code' : 'row') : placeOf(field))),
      message: named ? `${place}: ${message}` : message,
    }),
  )
}

/** Returns the name of a field's input: one select sets both `billing_type` and `amount_type`. */
function placeOf(id: string): string {
  const name = id.slice(inputId('').length)
  return name === 'billing_type' || name === 'amount_type' ? 'kind' : name
}

/** Returns the saved product with all of its prices that are not archived. */
async function beforeOf(visit: DashboardContext, id: string): Promise<EditedProduct> {
  const product = await shown(visit.call('GET /products/{id_or_slug}', { path: { id_or_slug: id } }))
  const query = { product: product.id, archived: false, limit: 100 }
  const { rows } = await answeredRows(visit.call('GET /price_variants', { query }))
  return { product: { ...product, media: product.media_gallery.map((file) => file.id) }, prices: rows }
}

async function take(
  visit: DashboardContext,
  before: EditedProduct | null,
  form: URLSearchParams,
): Promise<Response | NotSaved> {
  const answer = await saveProduct(visit, form, fieldsOf(visit), before)
  if ('refusals' in answer) {
    const { refusals } = answer
    const [{ refusal, status }] = refusals
    return { sent: form, refusal, status, refusals }
  }
  const { id, name, status } = answer.saved
  const words = status === 'active' ? 'is on sale' : 'was saved'
  const address = withQuery(`${visit.base}/products/${id}`, answer.code === null ? {} : { [NEW_CODE]: answer.code })
  return goDone(visit, address, before ? 'saved' : 'created', `${name} ${words}.`)
}

const create = formPage({
  path: '/products/new',
  formBytes: FORM_BYTES,
  changed: withRows,
  show: (visit, _, refused: NotSaved | null) => page(visit, null, refused),
  take: (visit, _, form) => take(visit, null, form),
})

const edit = formPage({
  path: '/products/:id/edit',
  formBytes: FORM_BYTES,
  changed: withRows,
  show: async (visit, { id }, refused: NotSaved | null) => page(visit, await beforeOf(visit, id), refused),
  take: async (visit, { id }, form) => take(visit, await beforeOf(visit, id), form),
})

/** Previews the saved product (GET) or the submitted form (POST). */
const preview: DashboardPage = {
  path: '/products/preview',
  formBytes: FORM_BYTES,
  async get(visit) {
    const before = await productInQuery(visit)
    return previewOf(visit, formOf(visit, before), fieldsOf(visit), before?.product ?? null)
  },
  post: async (visit, _, form) =>
    previewOf(visit, form, fieldsOf(visit), (await productInQuery(visit))?.product ?? null),
}

async function productInQuery(visit: DashboardContext): Promise<EditedProduct | null> {
  const id = visit.query.get('product')
  return id === null ? null : beforeOf(visit, id)
}

export const editorPages: DashboardPage[] = [create, edit, preview]

/** Renders the product page as buyers would see it if the product were active. Nothing is saved or for sale. */
async function previewOf(
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

/** Casts values to a row without a check. The caller has set every field that the page shows. */
function rowOf<Made>(values: Values): Made {
  return values as Made
}
