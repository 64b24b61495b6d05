import { newId } from '../../../contract/values/ids.ts'
import { laterBy } from '../../../contract/values/values.ts'
import type { Context } from '../../../records/context.ts'
import { insertRow } from '../../../records/records.ts'
import { processorOf } from '../payment/provider.ts'
import { Checkout, type CheckoutRow } from './checkout.ts'
import { expireCheckout } from './expire.ts'
import { emitCheckout } from './fee.ts'
import { completeIfFree } from './pay.ts'
import { type Priced, pricedFields } from './price.ts'

const OPEN_MS = 24 * 60 * 60 * 1000

export interface Opening {
  priced: Priced
  email: string | null
  customer: string | null
  values?: Partial<CheckoutRow>
  /** Default: a new id. */
  id?: string | undefined
  /** Default: 24 hours from now. */
  expiresAt?: string
}

/** Stores a new checkout, and completes it immediately if nothing has to be paid. */
export async function openCheckout(
  context: Context,
  { priced, email, customer, values, expiresAt, id = newId('co') }: Opening,
): Promise<CheckoutRow> {
  const expires_at = expiresAt ?? laterBy(context.now, OPEN_MS)
  const checkout = await insertRow(context, Checkout, {
    line_items: [],
    ...values,
    id,
    ...pricedFields(priced, await processorOf(context, values)),
    email,
    customer,
    status: 'open',
    expires_at,
    expire_job: await context.enqueue(expireCheckout, { checkout: id }, { runAt: expires_at }),
  })
  emitCheckout(context, 'created', checkout)
  return completeIfFree(context, checkout)
}
