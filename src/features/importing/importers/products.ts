import { ApiError } from '../../../contract/declarations/errors.ts'
import { MAX_AMOUNT } from '../../../contract/values/values.ts'
import type { Context } from '../../../records/context.ts'
import { countOf } from '../../../records/positions.ts'
import { insertRows } from '../../../records/records.ts'
import { insertWithSlug } from '../../../records/slugs.ts'
import { PriceVariant } from '../../../resources/catalog/price-variant/price-variant.ts'
import { newPricing } from '../../../resources/catalog/price-variant/write.ts'
import { Product } from '../../../resources/catalog/product/product.ts'
import type { PriceDraft, PricesDraft, ProductDraft } from '../formats/drafts.ts'
import type { Remark } from '../formats/reading/reader.ts'
import { idAt, type Memory, noOutcome, type Outcome, type Take } from './memory.ts'

/** Imports products with their prices. If a slug is in use, a number is appended to it. */
export const takeProducts: Take<ProductDraft> = async (context, memory, items) => {
  const outcome = noOutcome()
  const names = items.map(({ draft }) => draft.sourceId)
  const taken = await memory.recall(context, 'product', names)
  for (const { line, draft } of items) {
    const refusals = draft.prices.flatMap((price) => problemsOf(price, line))
    if (taken.has(draft.sourceId)) outcome.again += 1
    else if (refusals.length > 0) outcome.refused.push(...refusals)
    else {
      const id = await makeProduct(context, memory, draft)
      taken.set(draft.sourceId, id)
      await memory.remember(context, 'product', [[draft.sourceId, id]])
      await makePrices(context, memory, { product: id, prices: draft.prices, after: 0 })
      outcome.made += 1
      outcome.prices += draft.prices.length
    }
  }
  return outcome
}

/** Imports prices. Creates a product that does not exist if the file contains its name; otherwise refuses the price. */
export const takePrices: Take<PricesDraft> = async (context, memory, items) => {
  const outcome = noOutcome()
  for (const { line, draft } of items) {
    const taken = await memory.recall(context, 'price', draft.prices.map(keyOf))
    const fresh = draft.prices.filter((price) => !taken.has(keyOf(price)))
    outcome.again += draft.prices.length - fresh.length
    const refusals = fresh.flatMap((price) => problemsOf(price, line))
    outcome.refused.push(...refusals)
    if (fresh.length === 0 || refusals.length > 0) continue
    const product = (await productOf(context, memory, draft, outcome)) ?? null
    if (product === null) {
      const message = 'is of no product that is here: import the file of products first'
      outcome.refused.push({ line, column: 'Product ID', value: draft.product, message })
      continue
    }
    const after = memory.dry ? 0 : await countOf(context, PriceVariant, { product })
    await makePrices(context, memory, { product, prices: fresh, after })
    outcome.made += fresh.length
  }
  return outcome
}

async function productOf(
  context: Context,
  memory: Memory,
  { product, productName }: PricesDraft,
  outcome: Outcome,
): Promise<string | undefined> {
  const known = (await memory.recall(context, 'product', [product])).get(product)
  if (known !== undefined || productName === null) return known
  const id = await makeProduct(context, memory, { ...BLANK, sourceId: product, name: productName, status: 'active' })
  await memory.remember(context, 'product', [[product, id]])
  outcome.products += 1
  return id
}

const BLANK: Omit<ProductDraft, 'sourceId' | 'name' | 'status'> = {
  ...{ createdAt: null, slug: null, description: null, body_html: null, button_cta: null, available_from: null },
  ...{ available_until: null, tax_code: null, seo_title: null, seo_description: null, metadata: {}, prices: [] },
}

/** Creates an archived product with one hidden price, for sales that were made elsewhere. */
export async function makeArchived(
  context: Context,
  memory: Memory,
  { name, price, key }: { name: string; price: PriceDraft; key: string },
): Promise<{ product: string; price: string }> {
  const product = await makeProduct(context, memory, { ...BLANK, sourceId: key, name, status: 'archived' })
  const prices = [{ ...price, aliases: [key], archived: true, hidden: true }]
  const [made = ''] = await makePrices(context, memory, { product, prices, after: 0 })
  return { product, price: made }
}

async function makeProduct(context: Context, memory: Memory, draft: ProductDraft): Promise<string> {
  const { sourceId: _, createdAt, prices: _prices, slug, ...values } = draft
  const now = createdAt ?? context.now
  const id = idAt(Product, now)
  if (memory.dry) return id
  const more = { media: [], published_at: draft.status === 'active' ? now : null, reviews_count: 0 }
  await insertWithSlug({ ...context, now }, Product, { id, ...values, ...more }, slug ?? draft.name)
  return id
}

async function makePrices(
  context: Context,
  memory: Memory,
  { product, prices, after }: { product: string; prices: readonly PriceDraft[]; after: number },
): Promise<string[]> {
  const made = prices.map((price) => ({
    ...price,
    id: idAt(PriceVariant, price.createdAt ?? context.now),
  }))
  const names = made.flatMap((price) => [keyOf(price), ...price.aliases].map((name) => [name, price.id] as const))
  await memory.remember(context, 'price', names)
  if (!memory.dry)
    await insertRows(
      context,
      PriceVariant,
      made.map(({ sourceId: _, aliases: _names, createdAt, pricing, ...price }, index) => ({
        ...{ ...price, ...newPricing(pricing), product, position: after + index + 1, experiences: [] },
        ...(createdAt !== null && { created_at: createdAt }),
      })),
    )
  return made.map(({ id }) => id)
}

/** Returns the key under which the id of a price is remembered, in addition to its aliases. */
function keyOf({ sourceId }: PriceDraft): string {
  return `price:${sourceId}`
}

/** Checks a price for contradictions by the rules of the API. */
function problemsOf(price: PriceDraft, line: number): Remark[] {
  const refusal = (column: string, value: unknown, message: string) => ({
    line,
    column,
    value: String(value ?? ''),
    message,
  })
  if (price.pricing.amount > MAX_AMOUNT)
    return [
      refusal('amount', price.pricing.amount, `of the price ${price.name} is more than ${MAX_AMOUNT} minor units`),
    ]
  try {
    newPricing(price.pricing)
    return []
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const errors = Object.entries(error.details.errors ?? { [error.details.param ?? 'amount']: [error.message] })
    const given: Record<string, unknown> = { ...price.pricing }
    return errors.map(([name, [message = '']]) => refusal(name, given[name], `of the price ${price.name} ${message}`))
  }
}
