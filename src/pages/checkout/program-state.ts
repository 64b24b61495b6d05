import type { BuyerCaller } from '../../contract/declarations/caller.ts'
import { ApiError, type FieldErrors } from '../../contract/declarations/errors.ts'
import type { Row } from '../../contract/declarations/noun.ts'
import { normalizeEmail } from '../../contract/values/email.ts'
import type { Context } from '../../records/context.ts'
import { requireRow } from '../../records/records.ts'
import { x402Wallet } from '../../resources/company/x402-configuration/requirements.ts'
import { Checkout } from '../../resources/sales/checkout/checkout.ts'
import { missingPlace } from '../../resources/sales/checkout/place.ts'
import { sheetOf } from '../../resources/sales/checkout/sheet.ts'
import { isInDollars, x402RequirementsOf } from '../../resources/sales/checkout/show.ts'
import { placeOf, type TaxPlace } from '../../resources/sales/checkout/tax/terms.ts'
import { atPlace, type GivenPlace } from '../../resources/sales/checkout/update.ts'
import { refusedOf } from './act.ts'
import { readPlace } from './entries.ts'
import { unavailableItems } from './problems.ts'
import { answer, paymentRequired, refusal, type Terms } from './program-answers.ts'

export interface Payable {
  state: 'payable'
  terms: Terms
  /** The email address for the receipt; null if the software client must add one before it pays. */
  email: string | null
  /** The place where the buyer is taxed, from the query parameters or the checkout. */
  place: TaxPlace
}

/** The query parameters of a software client. A checkout ignores `quantity` and `amount`, because it has its own. */
export type ProgramQuery = Record<'email' | 'quantity' | 'amount' | keyof GivenPlace, string | null>

const PLACE_HINTS: Readonly<Record<string, string>> = {
  country: 'add ?country=DE to the address, since tax depends on it',
  region: 'add ?region=CA to the address, since tax depends on it',
}

/** Whether software clients can currently pay at this URL by x402, and if not, why. */
export type OfferState =
  | Payable
  /** The buyer or the shop has to change something before the payment. */
  | { state: 'incomplete'; errors: FieldErrors }
  | { state: 'being_paid' | 'complete' | 'expired' | 'abandoned' }

/** Returns the state of a checkout, or null if it cannot be paid in USDC. `email` is the client's query parameter. */
export async function offerStateOf(
  context: Context,
  { checkoutId }: BuyerCaller,
  { email, ...given }: ProgramQuery,
): Promise<OfferState | null> {
  const found = await requireRow(context, Checkout, checkoutId)
  const taxed = await checkoutAtPlace(context, found, given)
  const { checkout: stored, errors } = taxed
  if (!isInDollars(stored) || (await x402Wallet(context)) === null) return null
  const { status, paying } = stored
  if (status === 'open' && paying !== null) return { state: 'being_paid' }
  if (status !== 'open') return { state: status }
  if (stored.expires_at <= context.now) return { state: 'expired' }
  const sheet = await sheetOf(context, stored)
  const blocked = unavailableItems(sheet)
  if (blocked.length > 0) return { state: 'incomplete', errors: { line_items: blocked.map(({ message }) => message) } }
  const buyer = stored.email === null ? readEmail(email) : { email: stored.email }
  const noEmail = 'email' in buyer && buyer.email === null
  const wrong = { ...errors, ...('errors' in buyer && buyer.errors), ...(noEmail && NO_EMAIL) }
  if ('errors' in buyer || Object.keys(wrong).length > 0) return { state: 'incomplete', errors: wrong }
  // The stored discount may have expired, so the terms use the current totals, as the payment will.
  const { total, subtotal, amount_discount } = sheet
  const terms = await x402RequirementsOf(context, { ...stored, total, subtotal, amount_discount })
  return terms && { state: 'payable', terms, email: buyer.email, place: placeOf(stored) }
}

async function checkoutAtPlace(
  context: Context,
  found: Row<typeof Checkout>,
  given: Record<keyof GivenPlace, string | null>,
): Promise<{ checkout: Row<typeof Checkout>; errors: FieldErrors }> {
  const { place, errors } = readPlace(given)
  if (Object.keys(errors).length > 0 || found.status !== 'open') return { checkout: found, errors }
  try {
    const checkout = await atPlace(context, found, place)
    return { checkout, errors: await missingPlaceOf(context, checkout) }
  } catch (error) {
    const refused = refusedOf(error)
    if (refused?.kind !== 'refused') throw error
    return { checkout: found, errors: refused.errors }
  }
}

/** Returns errors for the missing parts of the place where the buyer is taxed. Each names the query parameter to add. */
export async function missingPlaceOf(context: Context, cart: Parameters<typeof missingPlace>[1]): Promise<FieldErrors> {
  const missing = Object.entries(await missingPlace(context, cart))
  return Object.fromEntries(missing.map(([part, [why]]) => [part, [`${why}: ${PLACE_HINTS[part]}`]]))
}

const NO_EMAIL: FieldErrors = { email: ["can't be blank: add ?email=… to the address, for the receipt"] }

export function readEmail(given: string | null): { email: string | null } | { errors: FieldErrors } {
  if (given === null) return { email: null }
  const { address, problem } = normalizeEmail(given)
  return address === null ? { errors: { email: [problem] } } : { email: address }
}

const CLOSED_STATES = {
  being_paid: [409, 'This checkout is being paid. Look again in a minute.'],
  complete: [200, 'This checkout is complete; it has already been paid.'],
  expired: [410, 'This checkout has expired.'],
  abandoned: [410, 'A newer checkout replaced this one.'],
} as const

const EMAIL_NEEDED = 'Payment is required. Add ?email=… to the address before you sign: the receipt goes there.'

/** Responds to a software client that has not sent a payment. Throws `validation_failed` for missing or invalid parameters. */
export function stateAnswer(offered: OfferState): Response {
  if (offered.state === 'payable')
    return paymentRequired(offered.terms, offered.email === null ? { message: EMAIL_NEEDED } : undefined)
  if (offered.state === 'incomplete') throw incompleteError(offered.errors)
  const [status, message] = CLOSED_STATES[offered.state]
  return answer(status, { status: offered.state, message })
}

function incompleteError(errors: FieldErrors): ApiError {
  return new ApiError('validation_failed', 'This cannot be paid yet. Nothing was settled.', { errors })
}

/** Responds to a software client whose payment is rejected and was not settled. Throws the same errors as `stateAnswer`. */
export function notPayable(offered: OfferState | null): Response {
  if (offered === null) return refusal(409, 'This cannot be paid in USDC. Nothing was settled.')
  if (offered.state === 'payable') throw incompleteError(NO_EMAIL)
  if (offered.state === 'incomplete') throw incompleteError(offered.errors)
  const [status, message] = CLOSED_STATES[offered.state]
  return refusal(status === 200 ? 409 : status, `${message} Your payment was not settled.`, {
    status: offered.state,
  })
}
