import { invalid, missingParameter } from '../../../contract/declarations/errors.ts'
import type { CreateInput } from '../../../contract/declarations/noun.ts'
import type { BodyCheck } from '../../../contract/declarations/operation.ts'
import type { Context } from '../../../records/context.ts'
import { listenersOf } from '../../../records/listeners.ts'
import { x402Wallet } from '../../company/x402-configuration/requirements.ts'
import { placeOfCustomer, requireBuyer } from './buyer.ts'
import type { Checkout, CheckoutRow } from './checkout.ts'
import { requireDiscount, requireKnownCode } from './discounts.ts'
import { linesOf } from './lines.ts'
import { checkoutOfInvoice } from './of-invoice.ts'
import { openCheckout } from './open.ts'
import { price } from './price.ts'
import { changedPlace, termsAt } from './tax/given.ts'
import { NO_PLACE } from './tax/terms.ts'

type Input = Omit<CreateInput<typeof Checkout>, 'reverse_charge' | 'tax_inclusive' | 'tax_lines'>

export async function createCheckout(context: Context, input: Input): Promise<CheckoutRow> {
  const { line_items, invoice, discount_code, country, region, vat_id, ...values } = input
  requireOneSource(input)
  if (invoice) return openCheckout(context, await checkoutOfInvoice(context, invoice, input))
  if (!line_items) throw missingParameter('line_items')
  const buyer = await requireBuyer(context, values)
  // The event and the response need the listeners and the wallet later, so these are read in parallel with the lines.
  const [lines] = await Promise.all([linesOf(context, line_items), listenersOf(context), x402Wallet(context)])
  const discount = discount_code ? await requireDiscount(context, discount_code, lines) : null
  const place = changedPlace(await placeOfCustomer(context, buyer.customer), { country, region, vat_id })
  const priced = price(lines, discount, await termsAt(context, place))
  return openCheckout(context, { ...buyer, priced, values: { ...values, ...place, line_items } })
}

export const CHECKOUT_CHECKS: readonly BodyCheck<Context, Partial<Input>>[] = [
  {
    fields: ['line_items', 'invoice'],
    check: (_, given) => {
      requireOneSource(given)
      if (!given.line_items && !given.invoice) throw missingParameter('line_items')
    },
  },
  {
    fields: ['line_items'],
    check: (context, { line_items }) => line_items && linesOf(context, line_items),
  },
  { fields: ['customer', 'email'], check: (context, given) => requireBuyer(context, given) },
  { fields: ['country', 'region', 'vat_id'], check: (_, given) => given.country && changedPlace(NO_PLACE, given) },
  {
    fields: ['discount_code'],
    check: (context, { discount_code, invoice }) => {
      if (!discount_code) return undefined
      if (invoice) throw invalid({ discount_code: ['cannot be used for an invoice'] })
      return requireKnownCode(context, discount_code)
    },
  },
]

function requireOneSource({ line_items, invoice }: Partial<Input>): void {
  if (line_items && invoice) throw invalid({ invoice: ['cannot be given together with line_items'] })
}
