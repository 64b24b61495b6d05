import type { PaymentProvider } from '../../../outside/payments/provider.ts'
import type { Context } from '../../../records/context.ts'

/** The provider that takes new payments of the account. */
export function providerOf(context: Context): PaymentProvider {
  return context.services.payments.providerFor({ test: context.test })
}
