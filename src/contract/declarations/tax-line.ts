import { z } from 'zod'

export interface TaxLine {
  name: string
  percent: number
  country: string
  region: string | null
  inclusive: boolean
  /** The taxed amount, excluding all taxes, in minor units. */
  taxable_amount: number
  amount: number
}

export const taxLines = z.array(
  z.object({
    name: z.string(),
    percent: z.number(),
    country: z.string(),
    region: z.string().nullable(),
    inclusive: z.boolean(),
    taxable_amount: z.number().int(),
    amount: z.number().int(),
  }),
)

export const EXAMPLE_TAX_LINE: TaxLine = {
  name: 'VAT',
  percent: 19,
  country: 'DE',
  region: null,
  inclusive: false,
  taxable_amount: 2900,
  amount: 551,
}
