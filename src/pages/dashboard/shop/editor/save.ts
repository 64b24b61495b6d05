import { only } from '../../../../errors.ts'
import { RefusedTogether } from '../../../../pipeline/together.ts'
import { UNNAMED } from '../../../../resources/catalog/price-variant/price-variant.ts'
import { sentFiles } from '../../derived/file-order.ts'
import { readBody } from '../../derived/read-form.ts'
import { type Call, keyOf, type Refusal, refusalOf, type Values } from '../../kit/call.ts'
import type { DashboardContext } from '../../kit/visit.ts'
import { callTogether } from '../../kit/visits.ts'
import { readKind } from '../price-kind.ts'
import { CODE_FIELDS, codeForm, hasCode } from './code-part.ts'
import type { EditorFields } from './form.ts'
import { ALT, areMoved, CODE, keptRows, partOf, removedIn, rowPrefix, rowsOf } from './rows.ts'

const MOST = 100

export interface EditedProduct {
  product: Values & SavedProduct
  prices: readonly Values[]
}

export interface PartRefusal {
  /** The prefix of the names of the part's inputs; empty for the product itself. */
  prefix: string
  refusal: Refusal
  status: number
}

interface SavedProduct {
  id: string
  name: string
  status: string
}

interface SaveResult {
  saved: SavedProduct
  code: string | null
}

type Refusals = [PartRefusal, ...PartRefusal[]]

class RefusedSave extends Error {
  readonly refusals: Refusals

  constructor(refusals: Refusals) {
    super('Parts of the form were refused.')
    this.refusals = refusals
  }
}

/** Saves all parts in one transaction. Returns the errors of all parts, so that people do not discover them one by one. */
export async function saveProduct(
  visit: DashboardContext,
  form: URLSearchParams,
  fields: EditorFields,
  before: EditedProduct | null,
): Promise<SaveResult | { refusals: Refusals }> {
  const saved = callTogether(visit, (call) => new Save(visit, { form, fields, before }, call).all())
  return saved.catch(only(RefusedSave, ({ refusals }) => ({ refusals })))
}

interface SaveRequest {
  form: URLSearchParams
  fields: EditorFields
  before: EditedProduct | null
}

class Save {
  readonly #visit: DashboardContext
  readonly #given: SaveRequest
  readonly #call: Call
  readonly #refusals: PartRefusal[] = []

  constructor(visit: DashboardContext, given: SaveRequest, call: Call) {
    this.#visit = visit
    this.#given = given
    this.#call = call
  }

  async all(): Promise<SaveResult> {
    const product = (await this.#part('', () => this.#product())) ?? (await this.#standIn())
    const access = await this.#part('', () => this.#downloads(product.name))
    for (const id of removedIn(this.#given.form)) await this.#part('', () => this.#remove(id))
    const prices: (string | null)[] = []
    for (const mark of keptRows(this.#given.form))
      prices.push(await this.#part(rowPrefix(mark), () => this.#price(mark, product.id, access ?? null)))
    await this.#part('', () => this.#order(product.id, prices))
    const code = hasCode(this.#given.form) ? await this.#part(CODE, () => this.#code(product.id)) : null
    for (const id of sentFiles(this.#given.form, 'media')) await this.#part('', () => this.#describe(id))
    const [first, ...others] = this.#refusals
    if (first) throw new RefusedSave([first, ...others])
    return { saved: product, code }
  }

  async #part<Result>(prefix: string, work: () => Promise<Result>): Promise<Result | null> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof RefusedTogether)) throw error
      const { answer } = error
      this.#refusals.push({ prefix, refusal: refusalOf(answer)!, status: answer.status })
      return null
    }
  }

  /** Returns a stand-in for a refused product, so that the other parts can be checked before the transaction is rolled back. */
  async #standIn(): Promise<SavedProduct> {
    const before = this.#given.before?.product
    return before ?? (await this.#call('POST /products', { body: { name: 'Product' } })).body
  }

  async #product(): Promise<SavedProduct> {
    const { form, fields, before } = this.#given
    const body = { ...readBody(this.#visit, fields.product, form, before?.product ?? null), ...statusOf(form) }
    if (before === null) {
      const named = { ...body, name: (form.get('name') ?? '').trim() }
      return (await this.#call('POST /products', { body: named, key: this.#key('product') })).body
    }
    const path = { id_or_slug: String(before.product.id) }
    return (await this.#call('PATCH /products/{id_or_slug}', { path, body })).body
  }

  /** Creates one experience with the form's downloads, to which the form's prices give access. */
  async #downloads(name: string): Promise<string | null> {
    const files = sentFiles(this.#given.form, 'downloads')
    if (files.length === 0) return null
    const body = { name, item_type: 'download' as const, files }
    const { id } = (await this.#call('POST /experiences', { body, key: this.#key('downloads') })).body
    return id
  }

  async #price(mark: string, product: string, access: string | null): Promise<string> {
    const { form, fields, before } = this.#given
    const own = partOf(form, rowPrefix(mark))
    const id = own.get('id')
    const known = before?.prices.find((price) => price.id === id) ?? null
    readKind(own)
    if (known && !own.get('name')?.trim()) own.set('name', UNNAMED)
    const body: Values = { ...readBody(this.#visit, fields.price, own, known) }
    if (access !== null) body.experiences = [...experiencesOf(body, known), access]
    if (known) {
      const path = { id: String(known.id) }
      if (Object.keys(body).length > 0) await this.#call('PATCH /price_variants/{id}', { path, body })
      return path.id
    }
    const key = this.#key(`price-${mark}`)
    return (await this.#call('POST /price_variants', { body: { ...body, product } as never, key })).body.id
  }

  /** Saves the order of the prices only if this form changed it, so that it does not overwrite changes by others. */
  async #order(product: string, prices: readonly (string | null)[]): Promise<void> {
    const { form, before } = this.#given
    if (before === null || this.#refusals.length > 0 || !areMoved(keptRows(form))) return
    await orderPrices(
      this.#call,
      product,
      prices.filter((id) => id !== null),
    )
  }

  /** Archives the price instead of deleting it if it has orders. */
  async #remove(id: string): Promise<void> {
    const { before } = this.#given
    if (!before?.prices.some((price) => price.id === id)) return
    try {
      await this.#call('DELETE /price_variants/{id}', { path: { id } })
    } catch (error) {
      const code = error instanceof RefusedTogether ? refusalOf(error.answer)?.code : null
      if (code !== 'resource_in_use') throw error
      await this.#call('PATCH /price_variants/{id}', { path: { id }, body: { archived: true } })
    }
  }

  async #code(product: string): Promise<string> {
    const { form, fields } = this.#given
    const [first] = rowsOf(form)
    const currency = (first && form.get(`${rowPrefix(first)}currency`)) || this.#visit.account.default_currency
    const shown = Object.fromEntries(CODE_FIELDS.map((name) => [name, fields.discount[name]!]))
    const read = readBody(this.#visit, shown, codeForm(form, currency), null)
    const body = { ...read, applies_to_product_ids: [product] }
    return (await this.#call('POST /discounts', { body: body as never, key: this.#key('code') })).body.id
  }

  async #describe(id: string): Promise<void> {
    const words = this.#given.form.get(ALT + id)
    if (words === null) return
    await this.#call('POST /files/{id}/describe', { path: { id }, body: { alternative_text: words.trim() || null } })
  }

  /** Returns an idempotency key for a part, so that a form submitted twice creates each part once. */
  #key(part: string): string | null {
    const key = keyOf(this.#given.form)
    return key && `${key} ${part}`
  }
}

function experiencesOf(body: Values, known: Values | null): string[] {
  const chosen = body.experiences ?? known?.experiences ?? []
  return (chosen as (string | { id: string })[]).map((one) => (typeof one === 'string' ? one : one.id))
}

const STATUSES = new Map<string | null, 'active' | 'draft'>([
  ['publish', 'active'],
  ['draft', 'draft'],
])

function statusOf(form: URLSearchParams): { status?: 'active' | 'draft' } {
  const status = STATUSES.get(form.get('do'))
  return status ? { status } : {}
}

/** The product's other prices, such as archived ones, keep their positions. */
async function orderPrices(call: Call, product: string, wanted: readonly string[]): Promise<void> {
  const { body } = await call('GET /price_variants', { query: { product, limit: MOST } })
  const now = body.data.map(({ id }) => id)
  const next = wanted.filter((id) => now.includes(id))
  const goal = now.map((id) => (wanted.includes(id) ? next.shift()! : id))
  for (const [index, id] of goal.entries()) {
    if (now[index] === id) continue
    await call('PATCH /price_variants/{id}', { path: { id }, body: { position: index + 1 } })
    now.splice(now.indexOf(id), 1)
    now.splice(index, 0, id)
  }
}
