import { z } from 'zod'

const taxLine = z.object({
  name: z.string(),
  percent: z.number(),
  country: z.string(),
  region: z.string().nullable(),
  inclusive: z.boolean(),
  /** The taxed amount, excluding all taxes, in minor units. */
  taxable_amount: z.number().int(),
  amount: z.number().int(),
})
export type TaxLine = z.output<typeof taxLine>

export const taxLines = z.array(taxLine)

export const EXAMPLE_TAX_LINE: TaxLine = {
  name: 'VAT',
  percent: 19,
  country: 'DE',
  region: null,
  inclusive: false,
  taxable_amount: 2900,
  amount: 551,
}
