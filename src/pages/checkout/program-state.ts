import type { BuyerCaller } from '../../contract/declarations/caller.ts'
import type { FieldErrors } from '../../contract/declarations/errors.ts'
import type { Row } from '../../contract/declarations/noun.ts'
import { normalizeEmail } from '../../contract/values/email.ts'
import type { Context } from '../../records/context.ts'
import { requireRow } from '../../records/records.ts'
import { x402Wallet } from '../../resources/company/x402_configuration/requirements.ts'
import type { X402Requirements } from '../../resources/company/x402_configuration/x402_configuration.ts'
import { atPlace, type GivenPlace } from '../../resources/sales/checkout/at_place.ts'
import { Checkout } from '../../resources/sales/checkout/checkout.ts'
import { missingPlace } from '../../resources/sales/checkout/place.ts'
import { sheetOf } from '../../resources/sales/checkout/sheet.ts'
import { isInDollars, x402RequirementsOf } from '../../resources/sales/checkout/show.ts'
import { placeOf, type TaxPlace } from '../../resources/sales/checkout/tax/terms.ts'
import { refusedOf } from './act.ts'
import { readPlace } from './place-entries.ts'
import { unavailableItems } from './problems.ts'
import { answer, paymentRequired, refusal } from './program-answers.ts'

export interface Payable {
  state: 'payable'
  terms: X402Requirements
  /** Whom the receipt goes to. */
  email: string
  /** Where the buyer is taxed, as the program or the checkout says. */
  place: TaxPlace
}

/** What a program says of the buyer in the address. */
export type GivenBuyer = Record<'email' | keyof GivenPlace, string | null>

const HOW: Readonly<Record<string, string>> = {
  country: 'add ?country=DE to the address, since tax depends on it',
  region: 'add ?region=CA to the address, since tax depends on it',
}

/** What a program finds at the address of a checkout. */
export type Offered =
  | Payable
  /** The buyer, or the shop, has to change something first. */
  | { state: 'incomplete'; errors: FieldErrors }
  | { state: 'being_paid' | 'complete' | 'expired' | 'abandoned' }

/** What there is to pay, or null where the account takes no USDC for the checkout. `email` is what the program says of itself. */
export async function offeredOf(
  context: Context,
  { checkoutId }: BuyerCaller,
  { email, ...given }: GivenBuyer,
): Promise<Offered | null> {
  const found = await requireRow(context, Checkout, checkoutId)
  const taxed = await taxedAt(context, found, given)
  const { checkout: stored, errors } = taxed
  if (!isInDollars(stored) || (await x402Wallet(context)) === null) return null
  const { status, paying } = stored
  if (status === 'open' && paying !== null) return { state: 'being_paid' }
  if (status !== 'open') return { state: status }
  if (stored.expires_at <= context.now) return { state: 'expired' }
  const sheet = await sheetOf(context, stored)
  const blocked = unavailableItems(sheet)
  if (blocked.length > 0) return { state: 'incomplete', errors: { line_items: blocked.map(({ message }) => message) } }
  const buyer = buyerOf(stored.email, email)
  const wrong = { ...errors, ...('errors' in buyer && buyer.errors) }
  if ('errors' in buyer || Object.keys(wrong).length > 0) return { state: 'incomplete', errors: wrong }
  // As it is when payment starts: a discount may have ended since it was stored.
  const { total, subtotal, amount_discount } = sheet
  const terms = await x402RequirementsOf(context, { ...stored, total, subtotal, amount_discount })
  return terms && { state: 'payable', terms, email: buyer.email, place: placeOf(stored) }
}

/** A checkout where the buyer says to be taxed, and what is wrong with that or still missing. */
async function taxedAt(
  context: Context,
  found: Row<typeof Checkout>,
  given: Record<keyof GivenPlace, string | null>,
): Promise<{ checkout: Row<typeof Checkout>; errors: FieldErrors }> {
  const { place, errors } = readPlace(given)
  if (Object.keys(errors).length > 0 || found.status !== 'open') return { checkout: found, errors }
  try {
    const checkout = await atPlace(context, found, place)
    const missing = Object.entries(await missingPlace(context, checkout))
    return { checkout, errors: Object.fromEntries(missing.map(([part, [why]]) => [part, [`${why}: ${HOW[part]}`]])) }
  } catch (error) {
    const refused = refusedOf(error)
    if (refused?.kind !== 'refused') throw error
    return { checkout: found, errors: refused.errors }
  }
}

function buyerOf(known: string | null, given: string | null): { email: string } | { errors: FieldErrors } {
  if (known !== null) return { email: known }
  if (given === null) return { errors: { email: ["can't be blank: add ?email=… to the address, for the receipt"] } }
  const { address, problem } = normalizeEmail(given)
  return address === null ? { errors: { email: [problem] } } : { email: address }
}

const CLOSED = {
  being_paid: [409, 'This checkout is being paid. Look again in a minute.'],
  complete: [200, 'This checkout is complete; it has already been paid.'],
  expired: [410, 'This checkout has expired.'],
  abandoned: [410, 'A newer checkout replaced this one.'],
} as const

/** What a program is answered that has sent no payment. */
export function stateAnswer(offered: Offered): Response {
  if (offered.state === 'payable') return paymentRequired(offered.terms)
  if (offered.state === 'incomplete')
    return refusal(422, 'The checkout cannot be paid yet. Nothing was settled.', { errors: offered.errors })
  const [status, message] = CLOSED[offered.state]
  return answer(status, { status: offered.state, message })
}

/** What a program is answered whose payment comes too late: it is never settled. */
export function notPayable(offered: Exclude<Offered, Payable> | null): Response {
  if (offered === null) return refusal(409, 'This checkout cannot be paid in USDC. Nothing was settled.')
  if (offered.state === 'incomplete') return stateAnswer(offered)
  const [status, message] = CLOSED[offered.state]
  return refusal(status === 200 ? 409 : status, `${message} Your payment was not settled.`, { status: offered.state })
}
