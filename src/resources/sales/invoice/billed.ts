import type { FieldErrors } from '../../../contract/declarations/errors.ts'
import { MAX_AMOUNT } from '../../../contract/values/values.ts'
import type { Context } from '../../../records/context.ts'
import { requireRow } from '../../../records/records.ts'
import { PriceVariant, type PriceVariantRow } from '../../catalog/price_variant/price_variant.ts'
import { Product } from '../../catalog/product/product.ts'
import type { Line } from '../checkout/line.ts'
import { lineOf } from '../checkout/lines.ts'
import { lineFor, type Taxed, withTax } from '../checkout/tax/apply.ts'
import type { TaxTerms } from '../checkout/tax/terms.ts'
import { totalsOf } from '../checkout/totals.ts'

/** The line of an invoice with what it costs, and what is wrong with it. */
export interface Billed {
  line: Line
  taxed: Taxed
  problems: FieldErrors
}

/**
 * What so many units of a price cost on an invoice: a custom price at its preset, a subscription with its setup fee and
 * without a trial. Throws a 404 when there is no such price.
 */
export async function billedLine(
  context: Context,
  price: string,
  quantity: number,
  tax: TaxTerms | null,
): Promise<Billed> {
  const variant = await requireRow(context, PriceVariant, price, 'price_variant')
  const product = await requireRow(context, Product, variant.product)
  const listed = fixed(lineOf(variant, product, { quantity, amount: variant.preset_amount ?? undefined }))
  const line = lineFor(listed, tax)
  const taxed = withTax(totalsOf([line]), tax)
  return { line, taxed, problems: problemsOf(variant, taxed.total) }
}

/** Nothing of the line is left to the buyer or to a later day. */
function fixed(line: Line): Line {
  return { ...line, custom: null, recurring: line.recurring && { ...line.recurring, trial_period_days: null } }
}

function problemsOf(variant: PriceVariantRow, amount: number): FieldErrors {
  const problem = whyNotBillable(variant, amount)
  if (problem !== null) return { price_variant: [problem] }
  if (amount > MAX_AMOUNT) return { quantity: [`makes the total exceed the maximum payment, ${MAX_AMOUNT}`] }
  return {}
}

/** Why nobody can be billed for a price, or null. */
function whyNotBillable(variant: PriceVariantRow, amount: number): string | null {
  if (variant.archived) return 'is archived and no longer for sale'
  if (variant.amount_type === 'free') return 'is free, so there is nothing to bill'
  if (variant.amount_type === 'custom' && variant.preset_amount === null)
    return 'is a custom price without preset_amount, so there is no amount to bill'
  return amount === 0 ? 'has a preset_amount of 0, so there is nothing to bill' : null
}
