import type { Fields } from '../../../../contract/declarations/field.ts'
import type { Problem } from '../../../parts/markup.ts'
import { crumbsBelow, crumbsOf } from '../../derived/detail.ts'
import { formPage } from '../../derived/form-page.ts'
import { inputId } from '../../derived/part-words.ts'
import { problemsOf } from '../../derived/problem-words.ts'
import { framed, goDone } from '../../kit/answers.ts'
import { type RefusedForm, rowsOf as rowsIn, shown } from '../../kit/call.ts'
import { type DashboardContext, type DashboardPage, withQuery } from '../../kit/visit.ts'
import { NEW_CODE } from '../product-codes.ts'
import { CODE_LABELS } from './code-part.ts'
import { type EditorFields, editorPage, PRODUCT_FIELDS, PRODUCT_LABELS } from './form.ts'
import { previewOf } from './preview.ts'
import { PRICE_FIELDS, PRICE_LABELS } from './price-row.ts'
import { CODE, emptyForm, filledForm, rowPrefix, rowsOf, withRows } from './rows.ts'
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

/** The messages name the discount code or the number of the price. */
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
  const { rows } = await rowsIn(visit.call('GET /price_variants', { query }))
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
