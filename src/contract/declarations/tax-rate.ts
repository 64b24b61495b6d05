import { z } from 'zod'
import { countryName } from '../../format/countries.ts'
import { regionName } from '../../format/regions.ts'
import { nestedText } from './nested-text.ts'
import { countrySchema, regionSchema } from './place.ts'

/** The maximum number of rates: enough for all US states and EU countries with two rates for some. */
export const MAX_RATES = 200
/** The maximum number of taxes that a country or region charges together, such as GST and QST. */
const MAX_TOGETHER = 4
/** Rates are computed in integer millionths, because percentages have up to four decimals. */
const MILLIONTHS_OF_ONE_PERCENT = 10_000

const DECIMALS_PROBLEM = 'can have at most 4 decimals'

const rate = z.object({
  country: countrySchema,
  region: regionSchema.nullable().default(null),
  /** Such as 19 or 8.875. */
  percent: z
    .number()
    .min(0, 'must be at least 0')
    .max(100, 'must be at most 100')
    .refine((percent) => millionthsOf({ percent }) / MILLIONTHS_OF_ONE_PERCENT === percent, DECIMALS_PROBLEM),
  name: nestedText(40).default('Tax'),
  /** Whether prices include the tax; otherwise it is added to them. */
  inclusive: z.boolean().default(false),
  /** The tax code of products to which the rate applies; null for all products whose tax code has no rate. */
  tax_code: nestedText(50).nullable().default(null),
})
export type TaxRate = z.output<typeof rate>

/** Returns the rate in millionths of one: 190,000 for 19 %. */
export function millionthsOf({ percent }: { percent: number }): number {
  return Math.round(percent * MILLIONTHS_OF_ONE_PERCENT)
}

export const taxRates = z.array(rate).superRefine((rates, context) => {
  for (const [index, problem] of problemsOf(rates))
    context.addIssue({ code: 'custom', path: [index, problem.field], message: problem.message })
})

interface RateProblem {
  field: keyof TaxRate
  message: string
}

function problemsOf(rates: readonly TaxRate[]): [number, RateProblem][] {
  const found: [number, RateProblem][] = []
  for (const [index, one] of rates.entries()) {
    const problem = problemOf(one, rates.slice(0, index))
    if (problem) found.push([index, problem])
  }
  return found
}

function problemOf(one: TaxRate, earlier: readonly TaxRate[]): RateProblem | null {
  const { country, region } = one
  if (region !== null && regionName(country, region) === null)
    return { field: 'region', message: `is not known of ${countryName(country)}; US states and Canadian provinces are` }
  const other = earlier.find((rate) => rate.country === country && rate.inclusive !== one.inclusive)
  if (other) return { field: 'inclusive', message: `must be ${other.inclusive}, as in the other rates of ${country}` }
  const same = earlier.filter((rate) => isSamePlace(rate, one))
  if (same.some(({ name }) => name === one.name))
    return { field: 'name', message: 'names a rate of the same place twice; rates of one place are added up' }
  return same.length >= MAX_TOGETHER
    ? { field: 'country', message: `has more than ${MAX_TOGETHER} rates for the same place and tax code` }
    : null
}

function isSamePlace(one: TaxRate, other: TaxRate): boolean {
  return one.country === other.country && one.region === other.region && one.tax_code === other.tax_code
}
